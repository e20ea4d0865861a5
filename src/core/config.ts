// Settings: flags, then the environment, then defaults. The only reader of the environment.
import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import process from "node:process";
import { MemoryError } from "./errors.ts";

const FILE = "holdfast.db";
const FOLDER = ".holdfast";
const REMOTE = /^(?:libsql|https?|wss?):\/\//i;

/** `normal` survives the death of the process, `full` also the loss of power. */
const DURABILITIES = ["normal", "full"] as const;
type Durability = typeof DURABILITIES[number];

export interface Config {
  /** Path of the store's file. */
  readonly store: string;
  readonly durability: Durability;
  /** How long a write waits for another process's lock, in milliseconds. */
  readonly busyTimeout: number;
}

/** What the command line may set. */
export interface Flags {
  readonly store?: string | undefined;
  readonly durability?: string | undefined;
}

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  /** Undefined when the working directory is gone. */
  readonly cwd: string | undefined;
}

/** @throws MemoryError invalid_argument when a setting is not one of its values or no place can be found. */
export function readConfig(flags: Flags = {}, around: Surroundings = surroundings()): Config {
  const durability = flags.durability ?? around.env["HOLDFAST_DURABILITY"] ?? "normal";
  const busy = around.env["HOLDFAST_BUSY_TIMEOUT_MS"] ?? "10000";
  return {
    store: storePath(flags.store ?? (around.env["HOLDFAST_STORE"] || undefined), around),
    durability: oneOf("durability", durability, DURABILITIES),
    busyTimeout: milliseconds("HOLDFAST_BUSY_TIMEOUT_MS", busy),
  };
}

function surroundings(): Surroundings {
  return { env: process.env, platform: process.platform, cwd: workingDirectory() };
}

/** `--store` or HOLDFAST_STORE, else the nearest `.holdfast/` upwards, else the user's data directory. */
function storePath(given: string | undefined, around: Surroundings): string {
  if (given !== undefined) return givenPath(given, around);
  for (let folder = around.cwd; folder !== undefined; folder = parent(folder)) {
    if (isDirectory(join(folder, FOLDER))) return join(folder, FOLDER, FILE);
  }
  return join(dataDirectory(around), FILE);
}

function givenPath(given: string, around: Surroundings): string {
  if (REMOTE.test(given)) {
    throw new MemoryError("invalid_argument", "Cannot use a URL as the store: this version keeps its store in a file", {
      hint: "Give --store the path of a file",
    });
  }
  const path = given.startsWith("file:") ? given.slice("file:".length).replace(/^\/\/(?=\/)/, "") : given;
  if (path.trim() === "") {
    throw new MemoryError("invalid_argument", "Cannot use an empty path as the store", {
      hint: "Give --store the path of a file",
    });
  }
  if (!isAbsolute(path) && around.cwd === undefined) {
    throw new MemoryError("invalid_argument", "Cannot find the store: the working directory is gone", {
      hint: "Give --store an absolute path",
    });
  }
  const absolute = isAbsolute(path) ? path : resolve(around.cwd ?? sep, path);
  return /[/\\]$/.test(path) || isDirectory(absolute) ? join(absolute, FILE) : absolute;
}

function dataDirectory({ env, platform }: Surroundings): string {
  if (platform === "win32") {
    return join(env["LOCALAPPDATA"] || join(home(env, "USERPROFILE"), "AppData", "Local"), "holdfast");
  }
  if (platform === "darwin") return join(home(env, "HOME"), "Library", "Application Support", "holdfast");
  const xdg = env["XDG_DATA_HOME"];
  return join(xdg && isAbsolute(xdg) ? xdg : join(home(env, "HOME"), ".local", "share"), "holdfast");
}

function home(env: Surroundings["env"], variable: string): string {
  const found = env[variable] || fallbackHome();
  if (isAbsolute(found) && dirname(found) !== found) return found;
  throw new MemoryError("invalid_argument", `Cannot find a place for the store: ${variable} names no home directory`, {
    hint: "Set HOLDFAST_STORE, or give --store, to the path of a file",
  });
}

function fallbackHome(): string {
  try {
    return homedir();
  } catch {
    return "";
  }
}

function workingDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

function parent(folder: string): string | undefined {
  const up = dirname(folder);
  return up === folder ? undefined : up;
}

function isDirectory(path: string): boolean {
  try {
    return existsSync(path) && statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function oneOf<const T extends readonly string[]>(name: string, value: string, allowed: T): T[number] {
  const found = allowed.find((one) => one === value);
  if (found !== undefined) return found;
  throw new MemoryError("invalid_argument", `Cannot use "${value}" as ${name}: it is one of ${allowed.join(", ")}`);
}

function milliseconds(name: string, value: string): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= 0) return number;
  throw new MemoryError("invalid_argument", `Cannot use "${value}" as ${name}: it is a whole number of milliseconds`);
}

/** The database driver logs to standard output where this is unset. Call before the driver is loaded. */
export function silenceDriver(): void {
  process.env["RUST_LOG"] = "off";
}

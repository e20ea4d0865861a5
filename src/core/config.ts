// Settings: flags, then the environment, then defaults. The only reader of the environment.
import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import process from "node:process";
import { MemoryError } from "./errors.ts";

const FILE = "holdfast.db";
const FOLDER = ".holdfast";
const REMOTE = /^(?:libsql|https?|wss?):\/\//i;

const INHERITED = /^(XDG_DATA_HOME|HOLDFAST_(?!STORE$|.*(KEY|TOKEN)).*)$/;

/** `normal` survives the death of the process, `full` also the loss of power. */
const DURABILITIES = ["normal", "full"] as const;
type Durability = typeof DURABILITIES[number];

/** What makes vectors: the built-in table, a model in this process, an endpoint, or nothing. */
const EMBEDDERS = ["words", "minilm", "http", "none"] as const;
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** What becomes of a credential in a text to store: replaced, refused, or kept. */
const SECRETS = ["redact", "reject", "allow"] as const;

export type EmbedderSettings =
  | { readonly name: Exclude<typeof EMBEDDERS[number], "http"> }
  | { readonly name: "http"; readonly url: string; readonly model: string; readonly key?: string };

export interface Config {
  /** Path of the store's file. */
  readonly store: string;
  readonly durability: Durability;
  /** How long a write waits for another process's lock, in milliseconds. */
  readonly busyTimeout: number;
  /** The built-in table where absent. */
  readonly embedder?: EmbedderSettings;
  /** `redact` where absent. */
  readonly secrets?: typeof SECRETS[number];
}

/** What the command line may set. */
export interface Flags {
  readonly store?: string | undefined;
  readonly durability?: string | undefined;
  readonly embedder?: string | undefined;
  readonly secrets?: string | undefined;
}

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  /** Undefined when the working directory is gone. */
  readonly cwd: string | undefined;
}

/** @throws MemoryError invalid_argument when a setting is not one of its values or no place can be found. */
export function readConfig(flags: Flags = {}, around: Surroundings = surroundings()): Config {
  const durability = flags.durability ?? (around.env["HOLDFAST_DURABILITY"]?.trim() || "normal");
  const busy = around.env["HOLDFAST_BUSY_TIMEOUT_MS"]?.trim() || "10000";
  return {
    store: storePath(flags.store ?? (around.env["HOLDFAST_STORE"] || undefined), around),
    durability: oneOf("durability", durability, DURABILITIES),
    busyTimeout: milliseconds("HOLDFAST_BUSY_TIMEOUT_MS", busy),
    embedder: embedder(flags.embedder ?? (around.env["HOLDFAST_EMBEDDER"] || "words"), around),
    secrets: oneOf("secrets", flags.secrets ?? (around.env["HOLDFAST_SECRETS"]?.trim() || "redact"), SECRETS),
  };
}

/** This process's environment, platform and working directory. */
export function surroundings(): Surroundings {
  return { env: process.env, platform: process.platform, cwd: workingDirectory() };
}

/** Settings that a program started without this shell's variables would lack; an endpoint's key is never among them. */
export function inherited({ env }: Surroundings): Readonly<Record<string, string>> {
  const wanted = Object.entries(env).filter((pair): pair is [string, string] => INHERITED.test(pair[0]) && !!pair[1]);
  return Object.fromEntries(wanted.sort());
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

function embedder(given: string, { env }: Surroundings): EmbedderSettings {
  const name = oneOf("embedder", given, EMBEDDERS);
  if (name !== "http") return { name };
  const model = env["HOLDFAST_EMBEDDER_MODEL"]?.trim();
  if (!model) {
    throw new MemoryError("invalid_argument", "Cannot use the embedder http: HOLDFAST_EMBEDDER_MODEL is not set", {
      hint: "Set it to the name of the endpoint's model",
    });
  }
  const key = env["HOLDFAST_EMBEDDER_KEY"]?.trim();
  if (key && !VISIBLE_ASCII.test(key)) {
    throw new MemoryError("invalid_argument", "Cannot use HOLDFAST_EMBEDDER_KEY: it holds a character that no key has");
  }
  return { name, url: endpoint(env["HOLDFAST_EMBEDDER_URL"]?.trim()), model, ...(key ? { key } : {}) };
}

/** The sentences leave the URL out: it may hold a secret. */
function endpoint(given: string | undefined): string {
  const hint = "Set it to an address such as http://localhost:11434 or https://api.openai.com/v1";
  if (!given) {
    throw new MemoryError("invalid_argument", "Cannot use the embedder http: HOLDFAST_EMBEDDER_URL is not set", {
      hint,
    });
  }
  const url = URL.parse(given);
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw new MemoryError("invalid_argument", "Cannot use HOLDFAST_EMBEDDER_URL: it is no http or https URL", { hint });
  }
  if (url.username === "" && url.password === "") return given;
  throw new MemoryError("invalid_argument", "Cannot use HOLDFAST_EMBEDDER_URL: it holds a user name or a password", {
    hint: "Give the endpoint's key as HOLDFAST_EMBEDDER_KEY",
  });
}

/** The user's folder for what Holdfast keeps. @throws MemoryError invalid_argument where there is no home. */
export function dataDirectory({ env, platform }: Surroundings): string {
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
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new MemoryError("invalid_argument", `Cannot use "${value}" as ${name}: it is a whole number of milliseconds`);
}

/** The database driver logs to standard output where this is unset. Call before the driver is loaded. */
export function silenceDriver(): void {
  process.env["RUST_LOG"] = "off";
}

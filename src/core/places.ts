// What surrounds this process, and so where Holdfast keeps what. The only reader of the environment.
import { homedir, tmpdir, userInfo } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import process from "node:process";
import { MemoryError } from "./errors.ts";

const INHERITED = /^(XDG_DATA_HOME|HOLDFAST_(?!STORE$|.*(KEY|TOKEN)).*)$/;

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  /** Undefined when the working directory is gone. */
  readonly cwd: string | undefined;
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

/** The user's folder for what Holdfast keeps. @throws MemoryError invalid_argument where there is no home. */
export function dataDirectory({ env, platform }: Surroundings): string {
  if (platform === "win32") {
    return join(env["LOCALAPPDATA"] || join(home(env, "USERPROFILE"), "AppData", "Local"), "holdfast");
  }
  if (platform === "darwin") return join(home(env, "HOME"), "Library", "Application Support", "holdfast");
  const xdg = env["XDG_DATA_HOME"];
  return join(xdg && isAbsolute(xdg) ? xdg : join(home(env, "HOME"), ".local", "share"), "holdfast");
}

/** The user's folder for what running programs keep: HOLDFAST_STATE, or the system's place for it. @throws MemoryError invalid_argument where there is no home. */
export function stateDirectory(around: Surroundings): string {
  const { env, platform } = around;
  if (env["HOLDFAST_STATE"]) return resolve(env["HOLDFAST_STATE"]);
  if (platform === "win32" || platform === "darwin") return join(dataDirectory(around), "state");
  const xdg = env["XDG_STATE_HOME"];
  return join(xdg && isAbsolute(xdg) ? xdg : join(home(env, "HOME"), ".local", "state"), "holdfast");
}

/** Where models that were downloaded by hand are: HOLDFAST_MODELS, or beside the user's store. */
export function modelsDirectory(around: Surroundings = surroundings()): string {
  return around.env["HOLDFAST_MODELS"] ? resolve(around.env["HOLDFAST_MODELS"]) : join(dataDirectory(around), "models");
}

/** Directories for what can be made again, the best first: HOLDFAST_CACHE alone, or the user's and then a temporary one. */
export function cachePlaces(around: Surroundings = surroundings()): readonly string[] {
  const given = around.env["HOLDFAST_CACHE"];
  if (given) return [resolve(given)];
  const temporary = join(tmpdir(), `holdfast-${process.getuid?.() ?? userInfo().username}`);
  try {
    return [cacheDirectory(around), temporary];
  } catch {
    return [temporary];
  }
}

function cacheDirectory({ env, platform }: Surroundings): string {
  if (platform === "win32") return join(dataDirectory({ env, platform, cwd: undefined }), "cache");
  if (platform === "darwin") return join(home(env, "HOME"), "Library", "Caches", "holdfast");
  const xdg = env["XDG_CACHE_HOME"];
  return join(xdg && isAbsolute(xdg) ? xdg : join(home(env, "HOME"), ".cache"), "holdfast");
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

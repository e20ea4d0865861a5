// Settings: flags, then the environment, then defaults.
import { existsSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import process from "node:process";
import { MemoryError } from "./errors.ts";
import { dataDirectory, type Surroundings, surroundings } from "./places.ts";

const FILE = "holdfast.db";
const FOLDER = ".holdfast";
const REMOTE = /^(?:libsql|https?|wss?):\/\//i;

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

export interface ServerSettings {
  readonly token?: string;
  /** How long a request may take, in milliseconds. */
  readonly deadline: number;
}

export interface Config {
  /** Path of the store's file, or the http or https URL of its server. */
  readonly store: string;
  /** How to speak to the store's server; absent where the store is a file. */
  readonly server?: ServerSettings;
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

/** @throws MemoryError invalid_argument when a setting is not one of its values or no place can be found. */
export function readConfig(flags: Flags = {}, around: Surroundings = surroundings()): Config {
  const durability = flags.durability ?? (around.env["HOLDFAST_DURABILITY"]?.trim() || "normal");
  const busy = around.env["HOLDFAST_BUSY_TIMEOUT_MS"]?.trim() || "10000";
  return {
    ...storePlace(flags.store ?? (around.env["HOLDFAST_STORE"] || undefined), around),
    durability: oneOf("durability", durability, DURABILITIES),
    busyTimeout: milliseconds("HOLDFAST_BUSY_TIMEOUT_MS", busy),
    embedder: embedder(flags.embedder ?? (around.env["HOLDFAST_EMBEDDER"] || "words"), around),
    secrets: oneOf("secrets", flags.secrets ?? (around.env["HOLDFAST_SECRETS"]?.trim() || "redact"), SECRETS),
  };
}

type Place = Pick<Config, "store" | "server">;

/** What is meant for Holdfast alone goes first: TURSO_DATABASE_URL may be there for another program. */
function storePlace(given: string | undefined, around: Surroundings): Place {
  if (given !== undefined) return REMOTE.test(given) ? server(given, around) : { store: givenPath(given, around) };
  for (let folder = around.cwd; folder !== undefined; folder = parent(folder)) {
    if (isDirectory(join(folder, FOLDER))) return { store: join(folder, FOLDER, FILE) };
  }
  const turso = around.env["TURSO_DATABASE_URL"]?.trim();
  return turso && REMOTE.test(turso) ? server(turso, around) : { store: join(dataDirectory(around), FILE) };
}

/** The sentences leave the URL out: it may hold a secret. */
function server(given: string, { env }: Surroundings): Place {
  const refuse = (why: string, hint: string) =>
    new MemoryError("invalid_argument", `Cannot use the store's URL: ${why}`, { hint });
  const url = URL.parse(given.trim().replace(/^libsql:/i, "https:"));
  if (url?.protocol !== "https:" && url?.protocol !== "http:") {
    throw refuse(
      "it is no libsql, https or http URL",
      "Give --store an address such as libsql://your-database.turso.io",
    );
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw refuse(
      "it holds a user name, a password or parameters",
      "Give the address alone, and the token as the environment variable HOLDFAST_AUTH_TOKEN",
    );
  }
  const token = env["HOLDFAST_AUTH_TOKEN"]?.trim() || env["TURSO_AUTH_TOKEN"]?.trim();
  if (token && !VISIBLE_ASCII.test(token)) {
    throw refuse("its token holds a character that no token has", "Set HOLDFAST_AUTH_TOKEN to the token alone");
  }
  const deadline = milliseconds("HOLDFAST_STORE_TIMEOUT_MS", env["HOLDFAST_STORE_TIMEOUT_MS"]?.trim() || "5000");
  return { store: url.href, server: { ...(token ? { token } : {}), deadline } };
}

function givenPath(given: string, around: Surroundings): string {
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

/** Whether a server starts a daemon, uses one that runs, or does without; `flag` is --daemon or --no-daemon. */
export function usesDaemon(
  flag?: boolean,
  { env }: Surroundings = surroundings(),
): "start" | "use" | "never" {
  const given = env["HOLDFAST_DAEMON"]?.trim() || "use";
  if (flag !== undefined) return flag ? "start" : "never";
  return oneOf("HOLDFAST_DAEMON", given, ["start", "use", "never"]);
}

/** The HTTP door's token where the user gives one. @throws MemoryError invalid_argument where it is easily guessed. */
export function httpToken({ env }: Surroundings = surroundings()): string | undefined {
  const token = env["HOLDFAST_HTTP_TOKEN"]?.trim();
  if (!token) return undefined;
  if (token.length >= 16 && VISIBLE_ASCII.test(token)) return token;
  throw new MemoryError("invalid_argument", "Cannot use HOLDFAST_HTTP_TOKEN: it has less than 16 visible characters", {
    hint: "Leave it unset, and Holdfast makes one",
  });
}

/** Where to look for newer versions: nowhere, unless the user says so. */
export function releaseIndex(flag: string | undefined, { env }: Surroundings = surroundings()): string | undefined {
  return flag ?? (env["HOLDFAST_RELEASES"] || undefined);
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

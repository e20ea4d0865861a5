// Where the daemon of a store is found, and what it says of itself there: a folder that its user alone can enter.
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import type { Config } from "../core/config.ts";
import { MemoryError } from "../core/errors.ts";
import { idOf, newId } from "../core/ids.ts";
import { stateDirectory, type Surroundings, surroundings } from "../core/places.ts";

/** Bytes of the longest socket path that every system takes: 104 on macOS, 108 on Linux, the end of the string with them. */
const SOCKET_LIMIT = 103;

export interface Place {
  /** Names the store: the same for every way to write its path. */
  readonly store: string;
  /** Names the settings that change what a memory does: a client with others cannot be served. */
  readonly settings: string;
  readonly directory: string;
  /** Path of the Unix socket, or name of the Windows pipe. */
  readonly socket: string;
}

/** What a client needs to be let in. Readable by the user alone. */
export interface Card {
  readonly pid: number;
  readonly token: string;
}

/** @throws MemoryError invalid_argument where the user has no place for it. */
export function placeOf(config: Config, around: Surroundings = surroundings()): Place {
  const { store: where, busyTimeout: _, ...settings } = config;
  const store = idOf("store", config.server ? where : realPath(where));
  const directory = join(stateDirectory(around), "daemon", store);
  return { store, settings: idOf("settings", JSON.stringify(settings)), directory, socket: socketOf(directory, store) };
}

/** Makes its folders. @throws MemoryError store_denied where another user could be in them. */
export function prepare({ directory, socket }: Place): void {
  for (const folder of foldersOf(directory, socket)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (isOurs(folder)) chmodSync(folder, 0o700);
    else {
      throw new MemoryError("store_denied", "Cannot run the daemon: its folder is a link, or another user's", {
        hint: "Set HOLDFAST_STATE to a folder of your own",
      });
    }
  }
}

/** Undefined where no daemon left one, or where it may be another user's. */
export function readCard({ directory, socket }: Place): Card | undefined {
  try {
    if (!foldersOf(directory, socket).every(isPrivate)) return undefined;
    const { pid, token } = JSON.parse(readFileSync(join(directory, CARD), "utf8")) as Partial<Card>; // told next
    return typeof pid === "number" && typeof token === "string" ? { pid, token } : undefined;
  } catch {
    return undefined;
  }
}

/** With a token of its own: 256 random bits. */
export function newCard(): Card {
  return { pid: process.pid, token: randomBytes(32).toString("base64url") };
}

/** Whole or not at all. */
export function writeCard({ directory }: Place, card: Card): void {
  const part = join(directory, `${CARD}.${newId()}`);
  writeFileSync(part, JSON.stringify(card), { mode: 0o600, flag: "wx" });
  renameSync(part, join(directory, CARD));
}

/** Takes back what a daemon left for clients, its own or that of one that died. Its lock must be held. */
export function clear({ directory, socket }: Place): void {
  rmSync(join(directory, CARD), { force: true });
  if (process.platform === "win32") return;
  const found = lstatSync(socket, { throwIfNoEntry: false });
  if (found?.isSocket()) rmSync(socket);
  else if (found) {
    throw new MemoryError("store_denied", "Cannot run the daemon: what is at its socket's place is no socket", {
      hint: "Look at it, and remove it if it is nothing of yours",
    });
  }
}

const CARD = "daemon.json";

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realPath(dirname(path)), basename(path)); // made by the first memory
  }
}

function socketOf(directory: string, store: string): string {
  if (process.platform === "win32") return `\\\\.\\pipe\\holdfast-${idOf("pipe", userInfo().username, directory)}`;
  const near = join(directory, "socket");
  if (Buffer.byteLength(near) <= SOCKET_LIMIT) return near;
  return join(tmpdir(), `holdfast-${process.getuid?.() ?? 0}-daemon`, idOf(directory, store));
}

function foldersOf(directory: string, socket: string): string[] {
  return process.platform === "win32" || dirname(socket) === directory ? [directory] : [directory, dirname(socket)];
}

function isOurs(folder: string): boolean {
  const { uid, isDirectory } = facts(folder);
  return isDirectory && uid === (process.getuid?.() ?? uid);
}

function isPrivate(folder: string): boolean {
  return isOurs(folder) && (process.platform === "win32" || (facts(folder).mode & 0o077) === 0);
}

function facts(folder: string): { uid: number; mode: number; isDirectory: boolean } {
  const stat = lstatSync(folder);
  return { uid: stat.uid, mode: stat.mode, isDirectory: stat.isDirectory() };
}

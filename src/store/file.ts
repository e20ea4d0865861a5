// The store's file as a file: made with narrow rights, recognised, and never touched when it is not ours.
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  statfsSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import { fault } from "./faults.ts";

const MAGIC = "SQLite format 3\u0000";
const HEADER = 100;
/** Less than this left on a disk and SQLite cannot even begin to write. Bytes. */
const NO_SPACE = 64 * 1024;

/** Files looked into by this process. Closing a descriptor drops the process's locks on its file, so never while one is in use. */
const inspected = new Set<string>();

/** Makes the file (0600) and its directories (0700) where missing. @throws MemoryError when it cannot be a store. */
export function prepareFile(path: string): void {
  if (existsSync(path)) return inspect(path);
  makeDirectory(dirname(path));
  closeSync(openSync(path, "a", 0o600));
  inspected.add(identify(path) ?? "");
}

/** Device and inode, so that a file put in another's place is noticed. */
export function identify(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stats && `${stats.dev}:${stats.ino}`;
}

export function isDiskFull(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize < NO_SPACE;
  } catch {
    return false;
  }
}

/** The file, and its directory for the log beside it. */
export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    accessSync(dirname(path), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether changes wait in the log beside the file. */
export function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Level by level: the recursive form never returns where a file system refuses without a reason. */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeDirectory(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (thrown) {
    if (!existsSync(path)) throw thrown; // another process may have made it a moment ago
  }
}

function inspect(path: string): void {
  const identity = identify(path) ?? "";
  if (inspected.has(identity)) return;
  if (!statSync(path).isFile()) throw fault("SQLITE_NOTADB");
  const descriptor = openSync(path, "r");
  try {
    const start = Buffer.alloc(MAGIC.length);
    const read = readSync(descriptor, start, 0, MAGIC.length, 0);
    const { size } = fstatSync(descriptor);
    if (size > 0 && (size < HEADER || read < MAGIC.length || start.toString("latin1") !== MAGIC)) {
      throw fault("SQLITE_NOTADB");
    }
  } finally {
    closeSync(descriptor);
  }
  inspected.add(identity);
}

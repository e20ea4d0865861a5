// The store's file as a file: made with narrow rights, recognised, and never touched when it is not ours.
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { fault } from "./faults.ts";

const MAGIC = "SQLite format 3\u0000";
const HEADER = 100;

/** Makes the file (0600) and its directories (0700) where missing. @throws MemoryError when it cannot be a store. */
export function prepareFile(path: string): void {
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, "a", 0o600));
    return;
  }
  inspect(path);
}

/** Device and inode, so that a file put in another's place is noticed. */
export function identify(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stats && `${stats.dev}:${stats.ino}`;
}

function inspect(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw fault("SQLITE_NOTADB");
    if (stats.size === 0) return;
    const header = Buffer.alloc(HEADER);
    const read = readSync(descriptor, header, 0, HEADER, 0);
    if (read < HEADER || header.toString("latin1", 0, MAGIC.length) !== MAGIC) throw fault("SQLITE_NOTADB");
    if (stats.size < pages(header) * pageSize(header)) throw fault("SQLITE_CORRUPT");
  } finally {
    closeSync(descriptor);
  }
}

/** Offsets from the SQLite file format: 16 page size, 24 change counter, 28 page count, 92 version-valid-for. */
function pages(header: Buffer): number {
  return header.readUInt32BE(24) === header.readUInt32BE(92) ? header.readUInt32BE(28) : 0;
}

function pageSize(header: Buffer): number {
  const size = header.readUInt16BE(16);
  return size === 1 ? 65_536 : size;
}

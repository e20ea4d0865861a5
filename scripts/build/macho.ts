// macOS executables: an ad-hoc signature, without which Apple silicon runs nothing. Layout after Apple's cs_blobs.h.
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";

const MAGIC_64 = 0xfeedfacf;
const HEADER = 32;
const SEGMENT_64 = 0x19;
const CODE_SIGNATURE = 0x1d;
const EXECUTE = 2;
const COMMAND_SIZE = 16;
const ALIGNMENT = 16;
const PAGE = 4096;
const SEGMENT_PAGE = 16384;
const SUPER_BLOB = 0xfade0cc0;
const CODE_DIRECTORY = 0xfade0c02;
const VERSION = 0x20400;
const AD_HOC = 2;
const DIRECTORY_HEADER = 88;
const SUPER_HEADER = 20;
const HASH = 32;

interface Command {
  readonly kind: number;
  readonly at: number;
  readonly size: number;
}

/** Signs an unsigned 64-bit Mach-O file. @throws Error for another kind of file, or one that is signed already. */
export function signAdHoc(file: Uint8Array, identifier: string): Buffer {
  const padded = Buffer.alloc(aligned(file.length));
  padded.set(file);
  const limit = padded.length;
  const slots = Math.ceil(limit / PAGE);
  const ident = Buffer.from(`${identifier}\0`);
  const size = SUPER_HEADER + DIRECTORY_HEADER + ident.length + slots * HASH;
  addCommand(padded, aligned(size));
  const text = segment(padded, "__TEXT");
  const directory = Buffer.alloc(DIRECTORY_HEADER + ident.length);
  const hashes = directory.length;
  const fields = [CODE_DIRECTORY, size - SUPER_HEADER, VERSION, AD_HOC, hashes, DIRECTORY_HEADER, 0, slots, limit];
  fields.forEach((value, at) => directory.writeUInt32BE(value, at * 4));
  directory.set([HASH, 2, 0, Math.log2(PAGE)], fields.length * 4);
  directory.writeBigUInt64BE(padded.readBigUInt64LE(text.at + 40), 64);
  directory.writeBigUInt64BE(padded.readBigUInt64LE(text.at + 48), 72);
  directory.writeBigUInt64BE(padded.readUInt32LE(12) === EXECUTE ? 1n : 0n, 80);
  directory.set(ident, DIRECTORY_HEADER);
  const wrapper = Buffer.alloc(SUPER_HEADER);
  [SUPER_BLOB, size, 1, 0, SUPER_HEADER].forEach((value, at) => wrapper.writeUInt32BE(value, at * 4));
  return Buffer.concat([padded, wrapper, directory, ...pageHashes(padded)], padded.length + aligned(size));
}

function aligned(size: number): number {
  return Math.ceil(size / ALIGNMENT) * ALIGNMENT;
}

/** SHA-256 of each page, the last one as long as it is. */
function pageHashes(bytes: Uint8Array): Buffer[] {
  const hashes = [];
  for (let at = 0; at < bytes.length; at += PAGE) {
    hashes.push(createHash("sha256").update(bytes.subarray(at, at + PAGE)).digest());
  }
  return hashes;
}

/** @throws Error when the bytes are no 64-bit Mach-O file of one architecture. */
export function commands(bytes: Buffer): Command[] {
  if (bytes.readUInt32LE(0) !== MAGIC_64) throw new Error("Not a 64-bit Mach-O file");
  const found: Command[] = [];
  for (let at = HEADER, left = bytes.readUInt32LE(16); left > 0; left--) {
    const size = bytes.readUInt32LE(at + 4);
    found.push({ kind: bytes.readUInt32LE(at), at, size });
    at += size;
  }
  return found;
}

/** @throws Error when there is no such segment. */
export function segment(bytes: Buffer, name: string): Command {
  const found = commands(bytes).find(({ kind, at }) =>
    kind === SEGMENT_64 && bytes.toString("latin1", at + 8, at + 24).replace(/\0+$/, "") === name
  );
  if (!found) throw new Error(`No segment ${name}`);
  return found;
}

/** Names the signature's place at the end of the file, and stretches the last segment over it. */
function addCommand(bytes: Buffer, size: number): void {
  const all = commands(bytes);
  if (all.some(({ kind }) => kind === CODE_SIGNATURE)) throw new Error("The file is signed already");
  const end = HEADER + bytes.readUInt32LE(20);
  if (firstSection(bytes, all) < end + COMMAND_SIZE) throw new Error("No room for another load command");
  [CODE_SIGNATURE, COMMAND_SIZE, bytes.length, size].forEach((value, at) => bytes.writeUInt32LE(value, end + at * 4));
  bytes.writeUInt32LE(bytes.readUInt32LE(16) + 1, 16);
  bytes.writeUInt32LE(bytes.readUInt32LE(20) + COMMAND_SIZE, 20);
  const { at } = segment(bytes, "__LINKEDIT");
  const length = BigInt(bytes.length + size) - bytes.readBigUInt64LE(at + 40);
  const pages = BigInt(SEGMENT_PAGE);
  bytes.writeBigUInt64LE((length + pages - 1n) / pages * pages, at + 32);
  bytes.writeBigUInt64LE(length, at + 48);
}

/** The smallest file offset of a section: load commands end before it. */
function firstSection(bytes: Buffer, all: readonly Command[]): number {
  let first = bytes.length;
  for (const { kind, at } of all) {
    if (kind !== SEGMENT_64) continue;
    for (let section = at + 72, left = bytes.readUInt32LE(at + 64); left > 0; left--, section += 80) {
      const offset = bytes.readUInt32LE(section + 48);
      if (offset > 0) first = Math.min(first, offset);
    }
  }
  return first;
}

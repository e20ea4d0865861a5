// The signer against the files it signs: a signature of Apple's linker is made again, byte for byte.
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { commands, segment, signAdHoc } from "../../scripts/build/macho.ts";
import { fetchPackage } from "../../scripts/build/packages.ts";
import { LIBSQL_VERSION, TARGETS } from "../../scripts/build/targets.ts";

const CODE_SIGNATURE = 0x1d;

function addon(id: string): Buffer {
  const target = TARGETS.find((one) => one.id === id);
  assert(target);
  return readFileSync(join(fetchPackage(target.addon, LIBSQL_VERSION), "index.node"));
}

/** The file before it was signed, and the name it was signed under. */
function unsigned(file: Buffer): { bytes: Buffer; identifier: string } {
  const signature = commands(file).find(({ kind }) => kind === CODE_SIGNATURE);
  assert(signature);
  const start = file.readUInt32LE(signature.at + 8);
  const directory = start + file.readUInt32BE(start + 16);
  const name = directory + file.readUInt32BE(directory + 20);
  const bytes = Buffer.from(file.subarray(0, start));
  bytes.fill(0, signature.at, signature.at + 16);
  bytes.writeUInt32LE(bytes.readUInt32LE(16) - 1, 16);
  bytes.writeUInt32LE(bytes.readUInt32LE(20) - 16, 20);
  const { at } = segment(bytes, "__LINKEDIT");
  bytes.writeBigUInt64LE(BigInt(start) - bytes.readBigUInt64LE(at + 40), at + 48);
  return { bytes, identifier: file.toString("latin1", name, file.indexOf(0, name)) };
}

test("signAdHoc() makes the signature that Apple's linker made", () => {
  const original = addon("darwin-arm64");
  const { bytes, identifier } = unsigned(original);
  const signed = signAdHoc(bytes, identifier);
  const differing = [...signed.keys()].filter((at) => signed[at] !== original[at]);
  const linkerSigned = signed.indexOf("fade0c02", 0, "hex") + 13; // a flag that says who signed
  assertEquals([signed.length, differing], [original.length, [linkerSigned]]);
});

test("signAdHoc() refuses a signed file and one that is no Mach-O", () => {
  const { bytes, identifier } = unsigned(addon("darwin-arm64"));
  assertThrows(() => signAdHoc(signAdHoc(bytes, identifier), identifier), Error, "signed already");
  assertThrows(() => signAdHoc(Buffer.alloc(4096), "x"), Error, "Not a 64-bit Mach-O file");
});

// Taking a signature off a Windows file leaves the file as it was before it was signed.
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { fetchPackage } from "../../scripts/build/packages.ts";
import { removeSignature } from "../../scripts/build/pe.ts";
import { LIBSQL_VERSION, TARGETS } from "../../scripts/build/targets.ts";

const target = TARGETS.find(({ id }) => id === "win-x64");
assert(target);
const plain = readFileSync(join(fetchPackage(target.addon, LIBSQL_VERSION), "index.node"));
const header = plain.readUInt32LE(0x3c);
const [directory, checksum] = [header + 24 + 112 + 32, header + 24 + 64];

test("removeSignature() cuts the block and what points to it", () => {
  const signed = Buffer.concat([plain, Buffer.alloc(512, 7)]);
  signed.writeUInt32LE(plain.length, directory);
  signed.writeUInt32LE(512, directory + 4);
  signed.writeUInt32LE(12345, checksum);
  const before = Buffer.from(plain);
  before.writeUInt32LE(0, checksum);
  assertEquals(removeSignature(signed).equals(before), true);
});

test("removeSignature() leaves an unsigned file alone and refuses another kind", () => {
  assertEquals(removeSignature(plain).equals(plain), true);
  assertThrows(() => removeSignature(Buffer.alloc(1024)), Error, "Not a 64-bit Windows executable");
});

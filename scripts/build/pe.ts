// Windows executables: the signature of an unchanged file is taken off cleanly before the file is changed.
import { Buffer } from "node:buffer";

/** Offsets from Microsoft's PE format: the optional header follows "PE\0\0" and 20 bytes of file header. */
const NEW_HEADER = 0x3c;
const CHECKSUM = 24 + 64;
const SECURITY_DIRECTORY = 24 + 112 + 4 * 8;
const PE32_PLUS = 0x20b;

/** The file without its Authenticode block, and with neither a pointer to it nor a checksum. @throws Error when it is no PE32+ file. */
export function removeSignature(file: Uint8Array): Buffer {
  const bytes = Buffer.from(file);
  const header = bytes.readUInt32LE(NEW_HEADER);
  if (bytes.toString("latin1", header, header + 4) !== "PE\0\0" || bytes.readUInt16LE(header + 24) !== PE32_PLUS) {
    throw new Error("Not a 64-bit Windows executable");
  }
  const start = bytes.readUInt32LE(header + SECURITY_DIRECTORY);
  const size = bytes.readUInt32LE(header + SECURITY_DIRECTORY + 4);
  if (start === 0) return bytes;
  if (start + size !== bytes.length) throw new Error("The signature is not at the end of the file");
  bytes.fill(0, header + SECURITY_DIRECTORY, header + SECURITY_DIRECTORY + 8);
  bytes.writeUInt32LE(0, header + CHECKSUM);
  return bytes.subarray(0, start);
}

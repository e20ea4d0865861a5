// The bearer token of the HTTP door: the user's own, or one made once and kept in a file that only the user reads.
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { MemoryError } from "../core/errors.ts";

export interface Token {
  readonly token: string;
  /** Where it is kept; absent where the user gave it. */
  readonly file?: string;
}

/** @param directory of the user alone @throws MemoryError store_denied where the file may be another's. */
export function bearerToken(directory: string, given: string | undefined): Token {
  if (given !== undefined) return { token: given };
  const file = join(directory, "http.token");
  return { token: read(file) ?? make(file), file };
}

/** Takes the same time for every wrong token. */
export function bears(authorization: string | null, token: string): boolean {
  const [, given = ""] = /^Bearer +([\x21-\x7e]+)$/i.exec(authorization ?? "") ?? [];
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(token)) && given !== "";
}

function make(file: string): string {
  const token = randomBytes(32).toString("base64url");
  writeFileSync(file, `${token}\n`, { mode: 0o600, flag: "wx" });
  return token;
}

function read(file: string): string | undefined {
  let handle: number;
  try {
    handle = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return undefined; // what the file system throws
    throw denied();
  }
  try {
    const { mode, uid } = fstatSync(handle);
    const others = process.platform !== "win32" && ((mode & 0o077) !== 0 || uid !== process.getuid?.());
    const token = readFileSync(handle, "utf8").trim();
    if (others || token.length < 16) throw denied();
    return token;
  } finally {
    closeSync(handle);
  }
}

function denied(): MemoryError {
  return new MemoryError(
    "store_denied",
    "Cannot open the HTTP door: its token's file is a link, damaged, or open to others",
    {
      hint: "Remove http.token from the daemon's folder, and a new one is made",
    },
  );
}

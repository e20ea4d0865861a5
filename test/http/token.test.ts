// The token's file: made once, for the user alone, never read from a place that another could have filled.
import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { MemoryError } from "../../src/core/errors.ts";
import { bearerToken, bears } from "../../src/http/token.ts";
import { temporaryFolder } from "../support/temporary.ts";

test("bearerToken makes one and finds it again", () => {
  const folder = temporaryFolder();
  const { token, file = "" } = bearerToken(folder, undefined);
  assertEquals(Buffer.from(token, "base64url").length, 32);
  assertEquals(statSync(file).mode & 0o777, 0o600);
  assertEquals(readFileSync(file, "utf8").trim(), token);
  assertEquals(bearerToken(folder, undefined).token, token);
  assertEquals(bearerToken(folder, "given by the user"), { token: "given by the user" });
});

test("bearerToken reads no link, no open file and no short one", () => {
  for (
    const spoil of [
      (file: string) => symlinkSync("/dev/null", file),
      (file: string) => (writeFileSync(file, "x".repeat(43)), chmodSync(file, 0o644)),
      (file: string) => writeFileSync(file, "short", { mode: 0o600 }),
    ]
  ) {
    const folder = temporaryFolder();
    spoil(join(folder, "http.token"));
    assertEquals(assertThrows(() => bearerToken(folder, undefined), MemoryError).code, "store_denied");
  }
});

test("bears takes the scheme in any case, and the token exactly", () => {
  assert(bears("Bearer abc", "abc") && bears("bearer  abc", "abc"));
  for (const wrong of [null, "", "abc", "Bearer", "Bearer ", "Bearer abcd", "Bearer ab c", "Basic abc"]) {
    assert(!bears(wrong, "abc"), String(wrong));
  }
});

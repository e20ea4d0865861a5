// One class for every fault: ours pass unchanged, anything else keeps its text out of sight.
import { test } from "node:test";
import { assert, assertEquals, assertMatch, assertStrictEquals } from "@std/assert";
import { CODES, MemoryError, toMemoryError } from "../../src/core/errors.ts";

test("MemoryError keeps code, sentence, hint and cause", () => {
  const cause = new Error("driver");
  const { code, message, hint, cause: kept, name } = new MemoryError("store_busy", "Cannot write", {
    hint: "Call again",
    cause,
  });
  assertEquals([code, message, hint, name], ["store_busy", "Cannot write", "Call again", "MemoryError"]);
  assertStrictEquals(kept, cause);
});

test("MemoryError has no own cause where none was given", () => {
  const error = new MemoryError("conflict", "Cannot do both");
  assertEquals(Object.hasOwn(error, "cause"), false);
  assertEquals(error.hint, undefined);
});

test("toMemoryError passes a MemoryError unchanged", () => {
  const error = new MemoryError("no_match", "Cannot forget");
  assertStrictEquals(toMemoryError(error), error);
});

for (
  const thrown of [new TypeError("secret path"), "secret path", undefined, null, 7, {
    code: "SQLITE_BUSY",
    message: "secret path",
  }]
) {
  test(`toMemoryError makes ${String(thrown)} internal without showing its text`, () => {
    const error = toMemoryError(thrown);
    assert(error instanceof MemoryError);
    assertEquals(error.code, "internal");
    assertStrictEquals(error.cause, thrown);
    assert(!`${error.message} ${error.hint}`.includes("secret"));
  });
}

test("CODES: exit status 75 (try again) only for codes that may be retried, none is 0 or 1", () => {
  for (const [code, { exit, retry }] of Object.entries(CODES)) {
    assertMatch(code, /^[a-z_]+$/);
    assert(exit > 1 && exit < 126, code);
    assert(exit !== 75 || retry, code);
  }
});

// What the driver's and the system's errors become.
import { test } from "node:test";
import { assert, assertEquals, assertMatch, assertStrictEquals } from "@std/assert";
import { CODES, MemoryError } from "../../src/core/errors.ts";
import { isBusy, storeFault } from "../../src/store/faults.ts";

const thrown = (code: string, message = "at /home/you/secret.db") => Object.assign(new Error(message), { code });

const TABLE: Readonly<Record<string, string>> = {
  SQLITE_BUSY: "store_busy",
  SQLITE_BUSY_SNAPSHOT: "store_busy",
  SQLITE_BUSY_RECOVERY: "store_busy",
  SQLITE_FULL: "store_full",
  ENOSPC: "store_full",
  EDQUOT: "store_full",
  SQLITE_IOERR_WRITE: "store_full",
  SQLITE_READONLY: "store_read_only",
  SQLITE_READONLY_DIRECTORY: "store_read_only",
  EROFS: "store_read_only",
  SQLITE_CANTOPEN: "store_denied",
  EACCES: "store_denied",
  EPERM: "store_denied",
  ENOENT: "store_missing",
  ENOTDIR: "store_missing",
  SQLITE_NOTADB: "store_not_database",
  SQLITE_CORRUPT: "store_corrupt",
  SQLITE_CORRUPT_VTAB: "store_corrupt",
  SQLITE_IOERR: "store_failed",
  SQLITE_IOERR_READ: "store_failed",
  SQLITE_IOERR_FSTAT: "store_lost",
  SQLITE_CONSTRAINT_UNIQUE: "store_failed",
  SQLITE_BUSYBODY: "store_failed",
  "": "store_failed",
};

for (const [code, expected] of Object.entries(TABLE)) {
  test(`storeFault of ${code || "no code"} is ${expected}, without the driver's text`, () => {
    const error = storeFault(thrown(code));
    assertEquals(error.code, expected);
    assert(!`${error.message} ${error.hint}`.includes("secret"));
    assertMatch(error.message, /^Cannot .*[^.]$/);
    assert(error.hint);
    assert(error.cause instanceof Error);
  });
}

test("storeFault: a connection the driver could not make is denied", () => {
  assertEquals(
    storeFault(thrown("", 'ConnectionFailed("Unable to open connection to local database x: 14")')).code,
    "store_failed",
  );
  assertEquals(storeFault(thrown("", "ConnectionFailed(`Unable to open ... : 14)`")).code, "store_denied");
});

test("storeFault passes a MemoryError and takes any thrown value", () => {
  const error = new MemoryError("store_newer", "Cannot open");
  assertStrictEquals(storeFault(error), error);
  for (const value of [undefined, null, "text", 5, { code: 14 }]) assertEquals(storeFault(value).code, "store_failed");
});

test("isBusy: what waiting may cure", () => {
  const codes = [
    "SQLITE_BUSY",
    "SQLITE_BUSY_SNAPSHOT",
    "SQLITE_LOCKED",
    "SQLITE_LOCKED_SHAREDCACHE",
    "SQLITE_FULL",
    "",
  ];
  assertEquals(codes.filter((code) => isBusy(thrown(code))), codes.slice(0, 4));
  assertEquals([undefined, null, "SQLITE_BUSY", {}].some(isBusy), false);
});

test("storeFault: what isBusy waits for is store_busy when it does not end", () => {
  assertEquals(storeFault(thrown("SQLITE_LOCKED")).code, "store_busy");
});

test("storeFault: the hint of a code that may be retried does not say that all is lost", () => {
  assertEquals(CODES[storeFault(thrown("SQLITE_BUSY")).code].retry, true);
  assertEquals(CODES[storeFault(thrown("SQLITE_CORRUPT")).code].retry, false);
});

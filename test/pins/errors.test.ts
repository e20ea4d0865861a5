// What the store's faults say, and what each error means to a shell, frozen.
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { CODES } from "../../src/core/errors.ts";
import { storeFault } from "../../src/store/faults.ts";

test("the store's faults say", () => {
  const of = (code: string) => {
    const { code: ours, message, hint } = storeFault(Object.assign(new Error("driver"), { code }));
    return [ours, message, hint];
  };
  const elsewhere = "choose another place with --store or HOLDFAST_STORE";
  const untouched = "It was left untouched; choose another file with --store or HOLDFAST_STORE";
  const full = [
    "store_full",
    "Cannot write to the store: no space left on its disk",
    "Free some space and call again; what was stored before is intact",
  ];
  const readOnly = [
    "store_read_only",
    "Cannot write to the store: its file or directory is read-only",
    `Make it writable, or ${elsewhere}; reading still works`,
  ];
  const denied = [
    "store_denied",
    "Cannot open the store: access to its file or directory is denied",
    `Check who owns the store's directory, or ${elsewhere}`,
  ];
  const missing = [
    "store_missing",
    "Cannot open the store: its directory does not exist and cannot be made",
    `Make the directory, or ${elsewhere}`,
  ];
  const rows: Readonly<Record<string, unknown[]>> = {
    SQLITE_BUSY: [
      "store_busy",
      "Cannot write to the store: other processes kept it locked",
      "Nothing was stored; call again",
    ],
    SQLITE_FULL: full,
    ENOSPC: full,
    EDQUOT: full,
    SQLITE_READONLY: readOnly,
    EROFS: readOnly,
    SQLITE_CANTOPEN: denied,
    EACCES: denied,
    EPERM: denied,
    ENOENT: missing,
    ENOTDIR: missing,
    SQLITE_NOTADB: ["store_not_database", "Cannot open the store: its file is not a database", untouched],
    SQLITE_CORRUPT: [
      "store_corrupt",
      "Cannot read the store: its file is damaged",
      "It was left untouched; put a backup in its place, or choose another file with --store",
    ],
    SQLITE_ERROR: [
      "store_failed",
      "Cannot use the store: the database reported an error",
      "The server's standard error has the details",
    ],
  };
  for (const [code, expected] of Object.entries(rows)) assertEquals(of(code), expected, code);
});

test("each error code has the promised exit status, and says whether a retry may help", () => {
  const table = Object.fromEntries(
    Object.entries(CODES).map(([code, { exit, retry }]) => [code, `${exit}${retry ? " retry" : ""}`]),
  );
  assertEquals(table, {
    invalid_argument: "2",
    no_match: "3",
    no_checkpoint: "3",
    conflict: "4",
    daemon_away: "75 retry",
    daemon_failed: "70",
    daemon_late: "75 retry",
    daemon_old: "5",
    store_missing: "5",
    store_denied: "5",
    store_read_only: "5",
    store_not_database: "5",
    store_foreign: "5",
    store_corrupt: "5",
    store_newer: "5",
    store_lost: "5 retry",
    store_full: "5 retry",
    store_away: "75 retry",
    store_unsure: "75 retry",
    store_busy: "75 retry",
    store_failed: "5 retry",
    record_undecodable: "5",
    internal: "70",
  });
});

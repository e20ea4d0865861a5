// The file itself: its rights, and files that are no store and stay as they are.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { assert, assertEquals, assertNotEquals, assertRejects, assertThrows } from "@std/assert";
import { MemoryError } from "../../src/core/errors.ts";
import { sql } from "../../src/store/database.ts";
import { openEmbedded } from "../../src/store/embedded.ts";
import { identify, prepareFile } from "../../src/store/file.ts";
import { settings } from "../support/stores.ts";
import { temporaryFolder, temporaryStore } from "../support/temporary.ts";

const rights = (path: string) => (statSync(path).mode & 0o777).toString(8);
const codeOf = (path: string) => assertThrows(() => prepareFile(path), MemoryError).code;

test("prepareFile makes the file for its owner alone, and the directories too", () => {
  const top = temporaryFolder();
  const path = join(top, "a", "b", "store.db");
  prepareFile(path);
  assertEquals([path, dirname(path), join(top, "a")].map(rights), ["600", "700", "700"]);
  assertEquals(statSync(path).size, 0);
});

test("prepareFile takes an empty file and a store, and changes neither", async () => {
  const empty = temporaryStore();
  writeFileSync(empty, "", { mode: 0o640 });
  prepareFile(empty);
  assertEquals([rights(empty), statSync(empty).size], ["640", 0]);
  const { store } = await made();
  const before = readFileSync(store);
  prepareFile(store);
  assert(before.equals(readFileSync(store)));
});

const NO_STORE: Readonly<Record<string, string | Uint8Array>> = {
  "a text file": "Dear diary, ".repeat(100),
  "a short file": "x",
  "a file that begins like a database and ends": "SQLite format 3\u0000",
  "zeros": new Uint8Array(4096),
};

for (const [what, content] of Object.entries(NO_STORE)) {
  test(`prepareFile refuses ${what} and leaves it as it was`, () => {
    const path = temporaryStore();
    writeFileSync(path, content);
    assertEquals(codeOf(path), "store_not_database");
    assert(readFileSync(path).equals(Buffer.from(content)));
  });
}

test("prepareFile refuses a directory and a device", () => {
  const path = temporaryStore();
  mkdirSync(path);
  assertEquals(codeOf(path), "store_not_database");
  if (existsSync("/dev/null")) assertEquals(codeOf("/dev/null"), "store_not_database");
});

test("openEmbedded turns what prepareFile finds into the call's error", async () => {
  const path = temporaryStore();
  writeFileSync(path, "Dear diary, ".repeat(100));
  const database = openEmbedded(settings({ store: path }));
  const error = await assertRejects(() => database.read([sql("SELECT 1")]), MemoryError);
  assertEquals(error.code, "store_not_database");
  assertEquals([`${path}-wal`, `${path}-journal`].some(existsSync), false);
});

test("openEmbedded gives the log beside the file the same rights", async () => {
  const { store, database } = await made();
  await database.write([sql("INSERT INTO meta VALUES ('a', '')")]);
  assertEquals([store, `${store}-wal`, `${store}-shm`].map(rights), ["600", "600", "600"]);
});

test("identify tells a file from one put in its place", () => {
  const path = temporaryStore();
  assertEquals(identify(path), undefined);
  writeFileSync(path, "a");
  const first = identify(path);
  writeFileSync(path, "b");
  assertEquals(identify(path), first);
  writeFileSync(`${path}.new`, "b");
  renameSync(`${path}.new`, path);
  assertNotEquals(identify(path), first);
  rmSync(path);
  assertEquals(identify(path), undefined);
});

const LOCKS = "/proc/locks";

// POSIX: closing any descriptor of a file drops all of the process's locks on it. Another program's close then takes
// this process for gone and deletes the log, and what is acknowledged after that is lost.
test("prepareFile keeps the locks that this process holds on an open store", {
  skip: !existsSync(LOCKS),
}, async () => {
  const { store, database } = await made();
  await database.write([sql("INSERT INTO meta VALUES ('a', '')")]);
  const held = () =>
    readFileSync(LOCKS, "utf8").split("\n").filter((line) => line.includes(`:${statSync(store).ino} `));
  const before = held().length;
  assert(before > 0);
  prepareFile(store);
  assertEquals(held().length, before);
});

async function made() {
  const config = settings();
  const first = openEmbedded(config);
  await first.write([sql("INSERT INTO meta VALUES ('made', '')")]);
  await first.close();
  return { store: config.store, database: openEmbedded(config) };
}

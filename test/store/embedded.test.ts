// One connection to a file: transactions, waits, and a file that goes away.
import { renameSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import Libsql from "libsql";
import { assert, assertEquals, assertGreaterOrEqual, assertLess, assertRejects } from "@std/assert";
import { MemoryError } from "../../src/core/errors.ts";
import { type Database, sql } from "../../src/store/database.ts";
import { openEmbedded } from "../../src/store/embedded.ts";
import { rows, settings } from "../support/stores.ts";
import { temporaryFolder } from "../support/temporary.ts";

const put = (key: string) => sql("INSERT INTO meta (key, value) VALUES (?1, ?1)", key);
const keys = async (database: Database) =>
  (await rows(database, "SELECT key FROM meta ORDER BY key")).map(({ key }) => key);
const rejects = async (work: () => Promise<unknown>, code: string) =>
  assertEquals((await assertRejects(work, MemoryError)).code, code);

test("openEmbedded gives the rows of each statement, in order", async () => {
  const database = openEmbedded(settings());
  const results = await database.write([
    put("a"),
    sql("SELECT key FROM meta WHERE key = ?1", "none"),
    sql("INSERT INTO meta (key, value) VALUES ('b', '') RETURNING key"),
    sql("SELECT count(*) AS n FROM meta"),
  ]);
  assertEquals(results.map((some) => some.map((row) => ({ ...row }))), [[], [], [{ key: "b" }], [{ n: 2 }]]);
});

test("write stores all of a batch or nothing, and the next one works", async () => {
  const database = openEmbedded(settings());
  await database.write([put("a")]);
  await rejects(() => database.write([put("b"), put("a"), put("c")]), "store_failed");
  await rejects(() => database.write([put("b"), sql("no sql")]), "store_failed");
  assertEquals(await keys(database), ["a"]);
  await database.write([put("d")]);
  assertEquals(await keys(openEmbedded(settings({ store: await path(database) }))), ["a", "d"]);
});

test("read cannot be kept from reading by another writer, nor see what is not committed", async () => {
  const config = settings();
  const database = openEmbedded(config);
  await database.write([put("a")]);
  const other = new Libsql(config.store);
  other.exec("BEGIN IMMEDIATE; INSERT INTO meta VALUES ('b', '')");
  assertEquals(await keys(database), ["a"]);
  other.exec("COMMIT");
  assertEquals(await keys(database), ["a", "b"]);
});

test("write waits for another writer outside the event loop, then stores", async () => {
  const config = settings();
  const database = openEmbedded(config);
  await database.write([put("a")]);
  const other = new Libsql(config.store);
  other.exec("BEGIN IMMEDIATE");
  let ticks = 0;
  const clock = setInterval(() => ++ticks, 5);
  setTimeout(() => other.exec("COMMIT"), 300);
  await database.write([put("b")]).finally(() => clearInterval(clock));
  assertGreaterOrEqual(ticks, 3);
  assertEquals(await keys(openEmbedded(config)), ["a", "b"]);
});

test("write gives up with store_busy after its time, and no later write of the connection is lost", async () => {
  const config = settings({ busyTimeout: 120 });
  const database = openEmbedded(config);
  await database.write([put("a")]);
  const other = new Libsql(config.store);
  other.exec("BEGIN IMMEDIATE");
  const start = performance.now();
  await rejects(() => database.write([put("b")]), "store_busy");
  const waited = performance.now() - start;
  assertGreaterOrEqual(waited, 119);
  assertLess(waited, 3000);
  other.exec("ROLLBACK");
  await database.write([put("c")]);
  assertEquals(await keys(openEmbedded(config)), ["a", "c"]);
  other.exec("BEGIN IMMEDIATE; COMMIT"); // the lock is free again
});

test("write: two connections writing at once lose nothing", async () => {
  const config = settings();
  const both = [openEmbedded(config), openEmbedded(config)];
  const names = Array.from({ length: 60 }, (_, at) => `k${String(at).padStart(2, "0")}`);
  await Promise.all(names.map((name, at) => both[at % 2]?.write([put(name)])));
  assertEquals(await keys(openEmbedded(config)), names);
});

test("openEmbedded waits for another's lock while it opens, too", async () => {
  const config = settings();
  const other = new Libsql(config.store);
  other.exec("BEGIN EXCLUSIVE");
  setTimeout(() => other.exec("COMMIT"), 100);
  const database = openEmbedded(config);
  await database.write([put("a")]);
  assertEquals(await keys(database), ["a"]);
});

test("openEmbedded opens nothing until it is used, and says store_missing then", async () => {
  const database = openEmbedded(settings({ store: "/dev/null/below/store.db" }));
  await rejects(() => database.read([sql("SELECT 1")]), "store_missing");
});

test("a removed file is store_lost, is not made anew, and works again once it is back", async () => {
  const config = settings();
  const database = openEmbedded(config);
  await database.write([put("a")]);
  renameSync(config.store, `${config.store}.away`);
  await rejects(() => database.read([sql("SELECT 1")]), "store_lost");
  await rejects(() => database.write([put("b")]), "store_lost");
  renameSync(`${config.store}.away`, config.store);
  await database.write([put("c")]);
  assertEquals(await keys(database), ["a", "c"]);
});

test("a replaced file is read from the next call on, and written to", async () => {
  const [first, second] = [settings(), settings()];
  const [database, backup] = [openEmbedded(first), openEmbedded(second)];
  await database.write([put("old")]);
  await backup.write([put("new")]);
  await backup.close();
  renameSync(second.store, first.store);
  assertEquals(await keys(database), ["new"]);
  await database.write([put("newer")]);
  assertEquals(await keys(openEmbedded(first)), ["new", "newer"]);
});

test("close: later calls fail, closing twice does not, and what was written is in the file", async () => {
  const config = settings({ store: join(temporaryFolder(), "closed.db") });
  const database = openEmbedded(config);
  await database.write([put("a")]);
  await database.close();
  await database.close();
  await rejects(() => database.read([sql("SELECT 1")]), "store_failed");
  await rejects(() => database.write([put("b")]), "store_failed");
  assertEquals(await keys(openEmbedded(config)), ["a"]);
});

for (const [durability, synchronous] of [["normal", 1], ["full", 2]] as const) {
  test(`durability ${durability} is what each connection asks SQLite for`, async () => {
    const database = openEmbedded(settings({ durability }));
    assertEquals((await rows(database, "PRAGMA synchronous"))[0]?.["synchronous"], synchronous);
    assertEquals((await rows(database, "PRAGMA journal_mode"))[0]?.["journal_mode"], "wal");
    assertEquals((await rows(database, "PRAGMA foreign_keys"))[0]?.["foreign_keys"], 1);
  });
}

async function path(database: Database): Promise<string> {
  const [main] = await rows(database, "PRAGMA database_list");
  assert(main);
  return String(main["file"]);
}

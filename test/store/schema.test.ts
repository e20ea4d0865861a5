// The schema's steps: a new store, an older one, a newer one, one of another program.
import { existsSync, readFileSync, statSync } from "node:fs";
import { test } from "node:test";
import Libsql from "libsql";
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { Config } from "../../src/core/config.ts";
import { MemoryError } from "../../src/core/errors.ts";
import { sql } from "../../src/store/database.ts";
import { openEmbedded } from "../../src/store/embedded.ts";
import { openFacts } from "../../src/store/facts.ts";
import { migrate, recognise } from "../../src/store/schema.ts";
import { newFact, recount, rows, settings } from "../support/stores.ts";

/** What version 1 did not have yet; later steps that change older tables need a stored file instead. */
const BACK_TO_1 = `DROP TRIGGER fact_copied; DROP INDEX facts_retired_by; ALTER TABLE facts DROP COLUMN retired_by;
  DROP INDEX facts_told; DROP INDEX checkpoints_kind; ALTER TABLE checkpoints DROP COLUMN kind;
  DROP TRIGGER vector_retired; DROP TABLE vectors; DROP TABLE models; PRAGMA user_version = 1`;

const versionOf = async (config: Config) =>
  Number((await rows(openEmbedded(config), "PRAGMA user_version"))[0]?.["user_version"]);
const tablesOf = async (config: Config) =>
  (await rows(openEmbedded(config), "SELECT type, name, sql FROM sqlite_schema ORDER BY name")).map((row) => ({
    ...row,
  }));
const refusal = async (config: Config) =>
  (await assertRejects(() => openEmbedded(config).read([sql("SELECT 1")]), MemoryError)).code;

function alter(store: string, statements: string): void {
  const db = new Libsql(store);
  db.exec(statements);
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
}

async function told(): Promise<Config> {
  const config = settings();
  const database = openEmbedded(config);
  const facts = openFacts(database);
  await facts.add(newFact("red green"));
  await facts.add(newFact("red blue"));
  await facts.retire({ agentId: "a", target: "red blue", now: 2000 });
  await database.close();
  return config;
}

test("migrate makes a new store that is ours, sound and empty", async () => {
  const config = settings();
  const database = openEmbedded(config);
  assert((await versionOf(config)) > 0);
  assertEquals((await rows(database, "PRAGMA application_id"))[0]?.["application_id"], 0x484f4c44);
  assertEquals((await rows(database, "PRAGMA integrity_check")).map((row) => ({ ...row })), [{
    integrity_check: "ok",
  }]);
  for (const table of ["facts", "terms", "checkpoints", "links"]) {
    assertEquals((await rows(database, `SELECT count(*) AS n FROM ${table}`))[0]?.["n"], 0);
  }
  assertEquals(existsSync(`${config.store}.v0.bak`), false);
});

test("migrate: two openings of a new store at once", async () => {
  const config = settings();
  const databases = Array.from({ length: 6 }, () => openEmbedded(config));
  await Promise.all(
    databases.map((database, at) => database.write([sql("INSERT INTO meta VALUES (?1, '')", `k${at}`)])),
  );
  assertEquals((await rows(openEmbedded(config), "SELECT count(*) AS n FROM meta"))[0]?.["n"], 6);
});

test("migrate refuses a newer store and leaves it untouched", async () => {
  const config = await told();
  const next = (await versionOf(config)) + 1;
  alter(config.store, `PRAGMA user_version = ${next}`);
  const before = readFileSync(config.store);
  assertEquals(await refusal(config), "store_newer");
  assert(before.equals(readFileSync(config.store)));
});

const FOREIGN = "PRAGMA journal_mode = DELETE; CREATE TABLE bookmarks (url); INSERT INTO bookmarks VALUES ('x')";

test("recognise takes a store that another process makes at this very moment for ours", () => {
  const { store } = settings();
  const db = new Libsql(store);
  db.exec("PRAGMA journal_mode = WAL");
  const interrupted = Object.create(db, {
    inTransaction: { get: () => db.inTransaction },
    exec: { value: (text: string) => db.exec(text) },
    prepare: {
      value(text: string) {
        const statement = db.prepare(text);
        if (!text.includes("application_id")) return statement;
        return {
          get(args: readonly unknown[]) {
            const row = statement.get(args);
            const other = new Libsql(store);
            migrate(other, store);
            other.close();
            return row;
          },
        };
      },
    },
  }) as Libsql.Database; // what the function uses of it
  recognise(interrupted);
  recognise(db);
  db.close();
});

test("migrate refuses another program's database and keeps what is in it", async () => {
  const config = settings();
  alter(config.store, FOREIGN);
  assertEquals(await refusal(config), "store_foreign");
  const db = new Libsql(config.store);
  assertEquals(db.prepare("SELECT name FROM sqlite_schema").pluck().all([]), ["bookmarks"]);
});

test("migrate leaves another program's database untouched to the byte", async () => {
  const config = settings();
  alter(config.store, FOREIGN);
  const before = readFileSync(config.store);
  await refusal(config);
  assert(before.equals(readFileSync(config.store)));
});

test("migrate refuses a database of another program that has our version's number", async () => {
  const config = settings();
  alter(config.store, `CREATE TABLE bookmarks (url); PRAGMA user_version = ${await versionOf(settings())}`);
  assertEquals(await refusal(config), "store_foreign");
});

test("migrate brings version 1 to what a new store has, facts and index kept, and copies the file aside first", async () => {
  const config = await told();
  alter(config.store, BACK_TO_1);
  const fresh = settings();
  assertEquals(await versionOf(config), await versionOf(fresh));
  assertEquals(await tablesOf(config), await tablesOf(fresh));
  const { held, right } = await recount(openEmbedded(config), ["a"]);
  assertEquals(held, right);
  const copy = new Libsql(`${config.store}.v1.bak`);
  assertEquals(copy.prepare("SELECT text FROM facts ORDER BY id").pluck().all([]), ["red green", "red blue"]);
  assertEquals(copy.prepare("PRAGMA user_version").pluck().all([]), [1]);
  assertEquals(copy.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'vectors'").pluck().all([]), [0]);
});

test("migrate: two openings of an older store at once", async () => {
  const config = await told();
  alter(config.store, BACK_TO_1);
  const databases = [openEmbedded(config), openEmbedded(config), openEmbedded(config)];
  const texts = await Promise.all(databases.map((database) => rows(database, "SELECT text FROM facts ORDER BY id")));
  assertEquals(texts.map((some) => some.length), [2, 2, 2]);
  assertEquals(await tablesOf(config), await tablesOf(settings()));
});

test("migrate's copy is for the owner alone, as the store is", async () => {
  const config = await told();
  alter(config.store, BACK_TO_1);
  await versionOf(config);
  assertEquals((statSync(`${config.store}.v1.bak`).mode & 0o777).toString(8), "600");
});

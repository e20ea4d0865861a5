// A copy is the store again: what it holds, what a search finds in it, and what a second copy adds.
import { test } from "node:test";
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import type { Config } from "../../src/core/config.ts";
import { openMemory } from "../../src/memory/open.ts";
import { type Database, sql } from "../../src/store/database.ts";
import { openDatabase } from "../../src/store/store.ts";
import { type Copied, copyStore } from "../../src/store/transfer.ts";
import { newStore, recount, rows, settings } from "../support/stores.ts";

/** What a copy must carry over, with names in place of local numbers. */
const HELD = [
  `SELECT fact_id, a.name AS agent, s.name AS session, created_at, retired_at, superseded_by, retired_by, confidence, pinned, digest,
    f.length, text, terms, context FROM facts f JOIN agents a USING (aid) JOIN sessions s USING (sid) ORDER BY f.id`,
  "SELECT checkpoint_id, a.name, created_at, kind, label, state, messages, message_count FROM checkpoints JOIN agents a USING (aid) ORDER BY id",
  "SELECT a.name, s.name, l.relation, t.name, l.created_at FROM links l JOIN agents a USING (aid) JOIN entities s ON s.eid = l.source JOIN entities t ON t.eid = l.target ORDER BY 1, 2, 3, 4",
  "SELECT f.fact_id, m.name, hex(v.vector) FROM vectors v JOIN facts f USING (id) JOIN models m USING (mid) ORDER BY 1",
  "SELECT name, facts, length, clock FROM agents ORDER BY name",
  "SELECT a.name, s.name FROM sessions s JOIN agents a USING (aid) ORDER BY 1, 2",
  "SELECT a.name, e.name FROM entities e JOIN agents a USING (aid) ORDER BY 1, 2",
  "SELECT a.name, term, df FROM terms t JOIN agents a USING (aid) ORDER BY 1, 2",
];
/** Columns that are not carried over as they are, since they number things within one store. */
const LOCAL: Readonly<Record<string, readonly string[]>> = {
  facts: ["id", "aid", "sid", "changed"],
  checkpoints: ["id", "aid"],
  agents: ["aid", "facts", "length", "changes"],
  sessions: ["sid", "aid"],
  entities: ["eid", "aid"],
  links: ["aid"],
  vectors: ["id", "aid", "changed", "mid"],
  models: ["mid"],
};
const DERIVED = ["meta", "terms", "fts"];

async function held(database: Database): Promise<string> {
  const results = await database.read(HELD.map((text) => sql(text)));
  return JSON.stringify(results.map((some) => some.map((row) => Object.values(row))), null, 1);
}

/** The index says what the facts say; how often an agent's facts changed is each store's own affair. */
async function assertIndexed(database: Database): Promise<void> {
  const { held, right } = await recount(database, ["a"]);
  const print = (value: unknown) => JSON.stringify(value, (key, inner) => key === "changes" ? undefined : inner);
  assertEquals(print(held), print(right));
}

/** Told, replaced, forgotten, told again, pinned, linked and saved, by two agents. */
async function fill(config: Config): Promise<void> {
  let clock = 1000;
  const memory = await openMemory(config, { now: () => ++clock });
  for (const agentId of ["a", 'b "quoted" é']) {
    const add = (text: string, sessionId: string) => memory.add({ agentId, text, sessionId });
    for (let at = 0; at < 12; at++) await add(`Service ${at} listens on port ${7000 + at}\n'quoted'`, `s${at % 3}`);
    await memory.update({
      agentId,
      target: `Service 1 listens on port 7001\n'quoted'`,
      text: "Service 1 is gone",
      sessionId: "s1",
    });
    await memory.forget({ agentId, target: "Service 1 is gone" });
    await add("Service 1 is gone", "s2");
    await memory.pin({ agentId, target: "Service 1 is gone", pinned: true });
    await memory.forget({ agentId, target: `Service 2 listens on port 7002\n'quoted'` });
    await memory.link({ agentId, source: "Service 1", relation: "was_on", target: "port 7001" });
    await memory.saveCheckpoint({ agentId, label: "one", state: { step: 1, big: "x".repeat(50) } });
    await memory.saveCheckpoint({ agentId, messages: [{ role: "user", content: "hi\u{1f600}" }] });
  }
  await memory.close();
}

const copyOver = async (from: Config, to: Config): Promise<readonly Copied[]> => {
  const [source, target] = [await openDatabase(from), await openDatabase(to)];
  const copied = await copyStore(source, target, () => {});
  await Promise.all([source.close(), target.close()]);
  return copied;
};
const found = async (config: Config) => {
  const memory = await openMemory(config);
  const answers = [];
  for (const asOf of [undefined, 1010, 1018]) {
    answers.push(
      (await memory.search({ agentId: "a", query: "which port for service 1", topK: 20, asOf, explain: true })).hits,
    );
  }
  await memory.close();
  return answers;
};
const sum = (copied: readonly Copied[], of: "added" | "changed" | "differing" | "retiredThere") =>
  copied.reduce((total, one) => total + one[of], 0);

test("copyStore there and back: all that is held, and the same answers; a second copy adds nothing", async () => {
  const [first, back] = [settings(), settings()];
  await fill(first);
  const middle = await newStore();
  const copied = await copyOver(first, middle);
  assertEquals(sum(copied, "differing"), 0);
  assertEquals(copied.find(({ part }) => part === "facts")?.added, 28);
  const original = await held(await openDatabase(first));
  assertEquals(await held(await openDatabase(middle)), original);
  await assertIndexed(await openDatabase(middle));
  assertEquals(await found(middle), await found(first));
  const again = await copyOver(first, middle);
  assertEquals([sum(again, "added"), sum(again, "changed"), sum(again, "differing")], [0, 0, 0]);
  assertEquals(again.map(({ checksum }) => checksum), copied.map(({ checksum }) => checksum));
  await copyOver(middle, back);
  assertEquals(await held(await openDatabase(back)), original);
  assertEquals(await held(await openDatabase(middle)), original);
});

test("copyStore goes on where it was cut off", async () => {
  const [from, to] = [settings(), await newStore()];
  await fill(from);
  const target = await openDatabase(to);
  let writes = 0;
  const failing: Database = {
    ...target,
    write(statements) {
      if (++writes === 4) throw new Error("cut off");
      return target.write(statements);
    },
  };
  await copyStore(await openDatabase(from), failing, () => {}).then(
    () => assert(false),
    ({ message }) => assertEquals(message, "cut off"),
  );
  const copied = await copyOver(from, to);
  assertEquals(sum(copied, "differing"), 0);
  assertEquals(await held(await openDatabase(to)), await held(await openDatabase(from)));
});

test("copyStore brings over what changed since, and never takes back what the target has retired", async () => {
  const [from, to] = [settings(), await newStore()];
  await fill(from);
  await copyOver(from, to);
  const target = { agentId: "a", target: `Service 5 listens on port 7005\n'quoted'` };
  const [source, copy] = [await openMemory(from), await openMemory(to)];
  await source.pin({ agentId: "a", target: "Service 1 is gone", pinned: false });
  await source.update({ ...target, text: "Service 5 moved", sessionId: "s1" });
  await copy.forget({ agentId: "a", target: `Service 6 listens on port 7006\n'quoted'` });
  const copied = await copyOver(from, to);
  assertEquals([sum(copied, "added"), sum(copied, "changed"), sum(copied, "differing"), sum(copied, "retiredThere")], [
    1,
    2,
    0,
    1,
  ]);
  const texts = async (config: Config) =>
    (await rows(
      await openDatabase(config),
      "SELECT text, pinned FROM facts WHERE retired_at IS NULL ORDER BY text, aid",
    )).map((row) => Object.values(row));
  const own = (await texts(from)).filter(([text]) => !String(text).startsWith("Service 6"));
  assertEquals((await texts(to)).filter(([text]) => !String(text).startsWith("Service 6")), own);
});

test("copyStore joins two stores: a text that both hold live is one fact", async () => {
  const [one, two, both] = [settings(), settings(), await newStore()];
  for (const [config, texts] of [[one, ["shared", "of one"]], [two, ["of two", "shared"]]] as const) {
    const memory = await openMemory(config);
    for (const text of texts) await memory.add({ agentId: "a", text, sessionId: "s" });
    await memory.close();
  }
  await copyOver(one, both);
  const joined = await copyOver(two, both);
  assertEquals([sum(joined, "differing"), sum(joined, "retiredThere")], [0, 1]);
  const database = await openDatabase(both);
  const live = await rows(database, "SELECT text FROM facts WHERE retired_at IS NULL ORDER BY text");
  assertEquals(live.map(({ text }) => text), ["of one", "of two", "shared"]);
  await assertIndexed(database);
  assertEquals(sum(await copyOver(two, both), "added"), 0);
});

test("copyStore tells what arrived damaged", async () => {
  const [from, to] = [settings(), await newStore()];
  await fill(from);
  const target = await openDatabase(to);
  const before = await copyOver(from, to);
  await target.write([sql("UPDATE facts SET text = text || '!' WHERE fact_id = (SELECT min(fact_id) FROM facts)")]);
  const after = await copyOver(from, to);
  assertEquals(sum(after, "differing"), 1);
  assertNotEquals(after.map(({ checksum }) => checksum), before.map(({ checksum }) => checksum));
});

test("copyStore knows every column of every table", async () => {
  const database = await openDatabase(settings());
  const tables = await rows(
    database,
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'fts_*'",
  );
  const carried = HELD.join(" ");
  for (const { name } of tables) {
    if (DERIVED.includes(String(name))) continue;
    const columns = (await rows(database, `SELECT name FROM pragma_table_info('${name}')`)).map((row) =>
      String(row["name"])
    );
    const local = LOCAL[String(name)];
    assert(local, `copyStore and this test do not know the table ${name}`);
    for (const column of columns) {
      assert(
        local.includes(column) || carried.includes(column) || column === "dimensions",
        `copyStore does not know ${name}.${column}`,
      );
    }
  }
});

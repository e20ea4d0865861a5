// Vectors in memory follow the store: in pages, whatever order answers come in, and whoever wrote.
import { test } from "node:test";
import { assertEquals, assertGreater } from "@std/assert";
import type { Database } from "../../src/store/database.ts";
import { openFacts } from "../../src/store/facts.ts";
import { openVectors, type Vectors } from "../../src/store/vectors.ts";
import { newDatabase, newFact, newStore } from "../support/stores.ts";

const model = { id: "m", dimensions: 4 };
const WIDE = { id: "wide", dimensions: 1_000_000 };
/** Its own direction for each number: the vector nearest to `at` is that of `at`. */
const cells = (at: number, { dimensions } = model) =>
  new Int8Array(dimensions).fill(1).fill(100, at % dimensions, at % dimensions + 1);
const query = (at: number, { dimensions } = model) =>
  new Float32Array(dimensions).fill(0).fill(1, at % dimensions, at % dimensions + 1);

async function open(of = model) {
  const config = await newStore();
  const database = await newDatabase(config);
  const facts = openFacts(database);
  const tell = (text: string, at: number) => facts.add(newFact(text, { vector: { model: of, cells: cells(at, of) } }));
  return { config, database, facts, tell, vectors: openVectors(database, of) };
}

/** Reads until there is no more. The number of reads. */
async function follow(database: Database, vectors: Vectors): Promise<number> {
  for (let reads = 1;; reads++) {
    const news = vectors.news(["a"]);
    if (!vectors.apply(news, await database.read(news.statements)).more) return reads;
  }
}

test("apply: what any client tells and retires is there after the next read", async () => {
  const { config, database, facts, tell, vectors } = await open();
  const other = openVectors(await newDatabase(config), model);
  for (const at of [0, 1, 2]) await tell(`fact ${at}`, at);
  for (const one of [vectors, other]) assertEquals([await follow(database, one), one.count("a")], [1, 3]);
  await tell("fact 3", 3);
  await facts.retire({ agentId: "a", target: "fact 1", now: 1 });
  for (const one of [vectors, other]) {
    await follow(database, one);
    assertEquals(one.count("a"), 3);
    assertEquals(one.nearest(["a"], query(3), 1).map((id) => (one.cosine(id, query(3)) ?? 0) > 0.9), [true]);
  }
});

test("apply: more than a page comes in pages, with what changes meanwhile", async () => {
  const { database, facts, tell, vectors } = await open(WIDE);
  for (let at = 0; at < 8; at++) await tell(`fact ${at}`, at);
  const news = vectors.news(["a"]);
  assertEquals(vectors.apply(news, await database.read(news.statements)), { fresh: true, more: true });
  await facts.retire({ agentId: "a", target: "fact 0", now: 1 });
  await tell("fact 8", 8);
  assertGreater(await follow(database, vectors), 1);
  assertEquals(vectors.count("a"), 8);
  assertEquals(await follow(database, vectors), 1);
});

test("apply: an answer that comes late takes nothing back", async () => {
  const { database, facts, tell, vectors } = await open();
  await tell("fact 0", 0);
  const [early, news] = [vectors.news(["a"]), vectors.news(["a"])];
  const late = await database.read(early.statements);
  await facts.retire({ agentId: "a", target: "fact 0", now: 1 });
  await tell("fact 1", 1);
  vectors.apply(news, await database.read(news.statements));
  vectors.apply(early, late);
  assertEquals(vectors.count("a"), 1);
  assertEquals(vectors.nearest(["a"], query(1), 9).length, 1);
  await follow(database, vectors);
  assertEquals(vectors.count("a"), 1);
});

test("apply: a store put in the place of another is read from its start", async () => {
  const { database, tell, vectors } = await open();
  for (const at of [0, 1, 2]) await tell(`fact ${at}`, at);
  await follow(database, vectors);
  const replaced = await open();
  await replaced.tell("other", 3);
  await follow(replaced.database, vectors);
  assertEquals([vectors.count("a"), vectors.nearest(["a"], query(3), 9).length], [1, 1]);
});

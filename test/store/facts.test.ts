// Facts: told once, replaced in one piece, retired for good.
import { test } from "node:test";
import { assert, assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import { MemoryError } from "../../src/core/errors.ts";
import type { Database } from "../../src/store/database.ts";
import { decodeFact, openFacts } from "../../src/store/facts.ts";
import { newDatabase, newFact, rows } from "../support/stores.ts";

const open = async () => {
  const database = await newDatabase();
  return { database, facts: openFacts(database) };
};
const state = async (database: Database): Promise<Record<string, unknown>[]> =>
  (await rows(database, "SELECT text, pinned, created_at, retired_at, superseded_by FROM facts ORDER BY id"))
    .map((row) => ({ ...row }));
const live = async (database: Database) =>
  (await rows(database, "SELECT text FROM facts WHERE retired_at IS NULL ORDER BY id")).map(({ text }) => text);

const SAME: readonly (readonly [string, string])[] = [
  ["the café", "the cafe\u0301"],
  ["one two", " one \n\t two "],
  ["one two", "one\u00a0two\u3000"],
];

for (const [text, again] of SAME) {
  test(`add: ${JSON.stringify(again)} is a duplicate of ${JSON.stringify(text)}`, async () => {
    const { database, facts } = await open();
    const { factId } = await facts.add(newFact(text));
    assertEquals(await facts.add(newFact(again, { session: "other" })), { factId, duplicate: true });
    assertEquals(await live(database), [text]);
  });
}

test("add: case, punctuation and another agent make another fact", async () => {
  const { facts } = await open();
  const added = [newFact("Red"), newFact("red"), newFact("red."), newFact("red", { agentId: "b" }), newFact("ＲＥＤ")];
  for (const fact of added) assertEquals(await facts.add(fact), { factId: fact.factId, duplicate: false });
  assertEquals(await facts.agents(), [{ agentId: "a", facts: 4 }, { agentId: "b", facts: 1 }]);
});

test("add: the same batch twice has one effect", async () => {
  const { database, facts } = await open();
  const fact = newFact("red");
  await facts.add(fact);
  assertEquals((await facts.add(fact)).factId, fact.factId);
  assertEquals(await live(database), ["red"]);
});

test("add keeps text, confidence and time as told, byte for byte", async () => {
  const { database, facts } = await open();
  const text = '  two\r\n lines ’quoted’ "x" cafe\u0301 👋 ';
  await facts.add(newFact(text, { confidence: "verified", told: -5, now: 1000 }));
  const [row] = await rows(database, "SELECT text, confidence, created_at FROM facts");
  assertEquals({ ...row }, { text, confidence: "verified", created_at: -5 });
});

test("add: a clock that goes back does not reorder what is told, and told_at does not move the clock", async () => {
  const { database, facts } = await open();
  await facts.add(newFact("one", { now: 5000 }));
  await facts.add(newFact("two", { now: 3000 }));
  await facts.add(newFact("import", { now: 8000, told: 9_000_000 }));
  await facts.add(newFact("three", { now: 6000 }));
  await facts.add(newFact("other", { now: 10, agentId: "b" }));
  assertEquals((await state(database)).map((row) => row["created_at"]), [5000, 5000, 9_000_000, 6000, 10]);
});

test("retire is for good: the text told again is a new fact", async () => {
  const { database, facts } = await open();
  const { factId } = await facts.add(newFact("red"));
  assertEquals(await facts.retire({ agentId: "a", target: "red", now: 2000 }), [factId]);
  assertEquals(await facts.retire({ agentId: "a", target: "red", now: 3000 }), []);
  assertEquals(await facts.pin({ agentId: "a", target: factId, pinned: true }), []);
  const again = await facts.add(newFact("red", { now: 4000 }));
  assertEquals(again.duplicate, false);
  assertNotEquals(again.factId, factId);
  assertEquals((await state(database)).map((row) => row["retired_at"]), [2000, null]);
});

test("retire takes exact text or id, of the same agent alone", async () => {
  const { database, facts } = await open();
  const [mine, theirs] = [await facts.add(newFact("red")), await facts.add(newFact("red", { agentId: "b" }))];
  for (const target of ["Red", " red", "re", "%", theirs.factId, ""]) {
    assertEquals(await facts.retire({ agentId: "a", target, now: 2000 }), [], target);
  }
  assertEquals(await facts.retire({ agentId: "a", target: mine.factId, now: 2000 }), [mine.factId]);
  assertEquals(await live(database), ["red"]);
});

test("retire is never before the fact was told", async () => {
  const { database, facts } = await open();
  await facts.add(newFact("red", { now: 5000 }));
  await facts.add(newFact("later", { told: 9000 }));
  for (const target of ["red", "later"]) await facts.retire({ agentId: "a", target, now: 100 });
  assertEquals((await state(database)).map((row) => row["retired_at"]), [5000, 9000]);
});

test("update retires the old in favour of the new, and keeps the pin", async () => {
  const { database, facts } = await open();
  const old = await facts.add(newFact("port is 80"));
  await facts.pin({ agentId: "a", target: "port is 80", pinned: true });
  const fact = newFact("port is 81", { now: 2000 });
  assertEquals(await facts.update(fact, "port is 80"), { factId: fact.factId, retired: [old.factId] });
  assertEquals(await state(database), [
    { text: "port is 80", pinned: 1, created_at: 1000, retired_at: 2000, superseded_by: fact.factId },
    { text: "port is 81", pinned: 1, created_at: 2000, retired_at: null, superseded_by: null },
  ]);
});

test("update does not pin what was not pinned", async () => {
  const { database, facts } = await open();
  await facts.add(newFact("one"));
  await facts.pin({ agentId: "a", target: "one", pinned: true });
  await facts.pin({ agentId: "a", target: "one", pinned: false });
  await facts.update(newFact("two"), "one");
  assertEquals((await state(database)).map((row) => row["pinned"]), [0, 0]);
});

test("update without a match stores nothing", async () => {
  const { database, facts } = await open();
  await facts.add(newFact("red", { agentId: "b" }));
  assertEquals(await facts.update(newFact("blue"), "red"), { factId: "", retired: [] });
  assertEquals(await live(database), ["red"]);
});

test("update to a text that another live fact has points there and adds none", async () => {
  const { database, facts } = await open();
  const [old, held] = [await facts.add(newFact("one")), await facts.add(newFact("two"))];
  for (const text of ["two", " two "]) {
    const target = text === "two" ? old.factId : (await facts.add(newFact("three"))).factId;
    assertEquals(await facts.update(newFact(text), target), { factId: held.factId, retired: [target] });
  }
  assertEquals(await live(database), ["two"]);
});

test(
  "update to a text that another live fact has keeps the pin there",
  async () => {
    const { database, facts } = await open();
    await facts.add(newFact("one"));
    await facts.add(newFact("two"));
    await facts.pin({ agentId: "a", target: "one", pinned: true });
    await facts.update(newFact("two"), "one");
    assertEquals((await state(database)).map((row) => row["pinned"]), [1, 1]);
  },
);

for (const [target, text] of [["red", "red"], ["red", " red"], ["id", "red"]] as const) {
  test(`update by ${target} to the same text ${JSON.stringify(text)} gives a new fact in its place`, async () => {
    const { database, facts } = await open();
    const old = await facts.add(newFact("red"));
    const fact = newFact(text, { now: 2000 });
    const done = await facts.update(fact, target === "id" ? old.factId : target);
    assertEquals(done, { factId: fact.factId, retired: [old.factId] });
    assertEquals(await live(database), [text]);
  });
}

test("pin takes text or id, and tells what it acted on", async () => {
  const { database, facts } = await open();
  const { factId } = await facts.add(newFact("red"));
  assertEquals(await facts.pin({ agentId: "a", target: factId, pinned: true }), [factId]);
  assertEquals(await facts.pin({ agentId: "a", target: "red", pinned: true }), [factId]);
  assertEquals((await state(database))[0]?.["pinned"], 1);
  assertEquals(await facts.pin({ agentId: "b", target: "red", pinned: false }), []);
});

test("decodeFact names the fact whose record is damaged", () => {
  const good = {
    fact_id: "f1",
    name: "a",
    text: "red",
    created_at: 1,
    confidence: "inferred",
    pinned: 1,
    retired_at: null,
  };
  assertEquals(decodeFact(good), {
    factId: "f1",
    agentId: "a",
    text: "red",
    createdAt: 1,
    confidence: "inferred",
    pinned: true,
  });
  for (const damage of [{ text: null }, { created_at: "x" }, { confidence: "sure" }, { name: 5 }]) {
    const error = assertThrows(() => decodeFact({ ...good, ...damage }), MemoryError, '"f1"');
    assert(error.code === "record_undecodable");
  }
});

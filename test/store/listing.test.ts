// Lists, histories and summaries, each against what was told.
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { openCheckpoints } from "../../src/store/checkpoints.ts";
import { openFacts } from "../../src/store/facts.ts";
import { type ListQuery, openListing } from "../../src/store/listing.ts";
import { newDatabase, newFact } from "../support/stores.ts";

const DAY = 24 * 60 * 60 * 1000;

async function told() {
  const database = await newDatabase();
  const [facts, listing, checkpoints] = [openFacts(database), openListing(database), openCheckpoints(database)];
  await facts.add(newFact("one", { now: 1000 }));
  await facts.add(newFact("Two", { now: 2000, confidence: "verified" }));
  await facts.add(newFact("three", { now: 3000, confidence: "unverified" }));
  await facts.add(newFact("theirs", { now: 4000, agentId: "b" }));
  await facts.pin({ agentId: "a", target: "one", pinned: true });
  const texts = async (over: Partial<ListQuery> = {}) =>
    (await listing.list({ agentIds: ["a"], limit: 10, ...over })).facts.map(({ text }) => text);
  return { facts, listing, checkpoints, texts };
}

test("list: newest first, or by weight, with every filter", async () => {
  const { facts, texts, listing } = await told();
  assertEquals(await texts(), ["three", "Two", "one"]);
  assertEquals(await texts({ order: "weight" }), ["one", "Two", "three"]);
  assertEquals(await texts({ agentIds: ["b", "a"] }), ["theirs", "three", "Two", "one"]);
  assertEquals(await texts({ agentIds: [] }), []);
  assertEquals(await texts({ pinned: true }), ["one"]);
  assertEquals(await texts({ pinned: false }), ["three", "Two"]);
  assertEquals(await texts({ confidence: "verified" }), ["Two"]);
  assertEquals(await texts({ since: 2000, until: 2000 }), ["Two"]);
  assertEquals(await texts({ holding: "tW" }), ["Two"]);
  assertEquals(await texts({ holding: "%" }), []);
  assertEquals([await texts({ limit: 2 }), await texts({ limit: 2, offset: 2 })], [["three", "Two"], ["one"]]);
  assertEquals((await listing.list({ agentIds: ["a"], limit: 1 })).total, 3);
  await facts.retire({ agentId: "a", target: "three", now: 5000 });
  assertEquals([await texts(), await texts({ retired: true })], [["Two", "one"], ["three", "Two", "one"]]);
});

test("history is the whole chain from any of its facts", async () => {
  const { facts, listing } = await told();
  const second = newFact("one and a half", { now: 6000 });
  await facts.update(second, "one");
  const third = newFact("one and three quarters", { now: 7000 });
  await facts.update(third, second.factId);
  const chain = ["one", "one and a half", "one and three quarters"];
  for (const id of [second.factId, third.factId]) {
    assertEquals((await listing.history(id)).map(({ text }) => text), chain);
  }
  assertEquals((await listing.history(third.factId)).map(({ retiredAt }) => retiredAt !== undefined), [
    true,
    true,
    false,
  ]);
  assertEquals(await listing.history("nothing"), []);
});

test("lastRetired is what was retired last, agent by agent", async () => {
  const { facts, listing } = await told();
  assertEquals(await listing.lastRetired("a"), []);
  await facts.retire({ agentId: "a", target: "three", now: 5000 });
  await facts.retire({ agentId: "a", target: "one", now: 5000 });
  await facts.retire({ agentId: "b", target: "theirs", now: 5000 });
  assertEquals((await listing.lastRetired("a")).map(({ text }) => text), ["one"]);
});

test("agents and growth count what is there", async () => {
  const { facts, listing, checkpoints } = await told();
  await facts.retire({ agentId: "a", target: "three", now: 5000 });
  await checkpoints.save({ checkpointId: "c", agentId: "b", now: DAY + 1 });
  await checkpoints.save({ checkpointId: "d", agentId: "b", now: DAY + 1, auto: true });
  assertEquals(await listing.agents(), [
    { agentId: "b", facts: 1, retired: 0, checkpoints: 1, lastAt: DAY + 1 },
    { agentId: "a", facts: 2, retired: 1, checkpoints: 0, lastAt: 3000 },
  ]);
  await facts.add(newFact("later", { now: 2 * DAY + 5, told: 2 * DAY + 5 }));
  assertEquals(await listing.characters(), "oneTwotheirslater".length);
  assertEquals(await listing.growth(3, 2 * DAY + 10), [4, 0, 1]);
});

// Corrections, as the waist gives them.
import { test } from "node:test";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { MemoryError } from "../../src/core/errors.ts";
import { openMemory } from "../../src/memory/open.ts";
import { newStore } from "../support/stores.ts";

const agentId = "a";
const open = async (...texts: string[]) => {
  let clock = 1000;
  const memory = await openMemory(await newStore(), { now: () => ++clock });
  const ids = [];
  for (const text of texts) ids.push((await memory.add({ agentId, text, sessionId: "s" })).factId);
  const found = async (query: string) => (await memory.search({ agentId, query })).hits.map(({ text }) => text);
  return { memory, ids, found };
};

test("update changes what a search finds, and tells what it retired", async () => {
  const { memory, ids, found } = await open("The API listens on port 7410");
  const done = await memory.update({
    agentId,
    text: "The API listens on port 7411",
    target: ids[0] ?? "",
    sessionId: "s",
  });
  assertEquals(done.retired, ids);
  assertEquals(await found("which port is the API on"), ["The API listens on port 7411"]);
});

test("forget is gone from the next search, and comes back only as a new fact", async () => {
  const { memory, ids, found } = await open("Ann likes tea");
  assertEquals(await memory.forget({ agentId, target: "Ann likes tea" }), { retired: ids });
  assertEquals(await found("tea"), []);
  const again = await memory.add({ agentId, text: "Ann likes tea", sessionId: "s" });
  assert(!again.duplicate && again.factId !== ids[0]);
  assertEquals(await found("tea"), ["Ann likes tea"]);
});

test("pin shows in what a search finds until unpinned", async () => {
  const { memory, ids } = await open("Ann likes tea");
  for (const pinned of [true, false]) {
    assertEquals(await memory.pin({ agentId, target: "Ann likes tea", pinned }), { factIds: ids });
    assertEquals((await memory.search({ agentId, query: "tea" })).hits.map((hit) => hit.pinned), [pinned]);
  }
});

type Opened = Awaited<ReturnType<typeof open>>["memory"];
const ACTIONS: Readonly<Record<string, (memory: Opened, target: string) => Promise<unknown>>> = {
  update: (memory, target) => memory.update({ agentId, text: "new text", target, sessionId: "s" }),
  forget: (memory, target) => memory.forget({ agentId, target }),
  pin: (memory, target) => memory.pin({ agentId, target, pinned: true }),
  unpin: (memory, target) => memory.pin({ agentId, target, pinned: false }),
};

for (const [action, act] of Object.entries(ACTIONS)) {
  test(`${action} without a match is no_match, names the closest fact and changes nothing`, async () => {
    const { memory, ids, found } = await open("Ann likes green tea", "The sky is blue");
    const error = await assertRejects(() => act(memory, "Ann likes tea"), MemoryError);
    assertEquals(error.code, "no_match");
    assertEquals(error.message, `Cannot ${action}: no memory of agent "a" matches "Ann likes tea"`);
    assert(error.hint?.includes(`"Ann likes green tea" (id ${ids[0]})`), error.hint);
    assertEquals(await found("new text"), []);
    assertEquals(await found("green tea"), ["Ann likes green tea"]);
  });
}

test("forget without a match gives a plain hint where nothing is close, and never another's fact", async () => {
  const { memory } = await open();
  await memory.add({ agentId: "__shared__", text: "Shared tea", sessionId: "s" });
  await memory.add({ agentId: "b", text: "Other tea", sessionId: "s" });
  for (const target of ["tea", "the", "?!"]) {
    const error = await assertRejects(() => memory.forget({ agentId, target }), MemoryError);
    assertEquals([error.code, error.hint], ["no_match", "Search first, then give the fact's exact text or its id"]);
  }
});

test("add stores U+0000 and half characters as U+FFFD, and a target is cleaned alike", async () => {
  const { memory, found, ids } = await open("tea\u0000 time\ud800");
  assertEquals(await found("tea"), ["tea\ufffd time\ufffd"]);
  assertEquals(await memory.forget({ agentId, target: "tea\u0000 time\ud800" }), { retired: ids });
});

// The last update or forget taken back, once, and again.
import { test } from "node:test";
import { assertEquals, assertRejects } from "@std/assert";
import { MemoryError } from "../../src/core/errors.ts";
import { openMemory } from "../../src/memory/open.ts";
import { openReader } from "../../src/memory/reader.ts";
import { undo } from "../../src/memory/undo.ts";
import { settings } from "../support/stores.ts";

async function open() {
  const config = settings();
  const memory = await openMemory(config);
  const reader = await openReader(config);
  const own = { agentId: "a", sessionId: "s" };
  const live = async () => {
    const { facts } = await reader.list({ agentIds: ["a"], limit: 9 });
    return facts.map(({ text, pinned, confidence }) => [text, confidence, ...(pinned ? ["pinned"] : [])].join(", "))
      .sort();
  };
  return { memory, reader, own, live, undo: () => undo(memory, reader, own) };
}

test("undo of a forget tells the fact again, as sure and as pinned as it was, once", async () => {
  const { memory, own, live, undo } = await open();
  await memory.add({ ...own, text: "red", confidence: "verified" });
  await memory.pin({ agentId: "a", target: "red", pinned: true });
  await memory.forget({ agentId: "a", target: "red" });
  assertEquals(await live(), []);
  assertEquals((await undo()).text, "red");
  assertEquals(await live(), ["red, verified, pinned"]);
  assertEquals((await assertRejects(undo, MemoryError)).code, "no_match");
});

test("undo of an update puts the old fact in the new one's place, and undo of that the new one", async () => {
  const { memory, own, live, undo } = await open();
  await memory.add({ ...own, text: "port 1" });
  const { factId } = await memory.update({ ...own, target: "port 1", text: "port 2" });
  assertEquals((await undo()).instead, factId);
  assertEquals(await live(), ["port 1, inferred"]);
  await undo();
  assertEquals(await live(), ["port 2, inferred"]);
});

test("undo takes back the last of several, and nothing of another agent's", async () => {
  const { memory, own, live, undo } = await open();
  for (const text of ["one", "two"]) await memory.add({ ...own, text });
  for (const text of ["two", "one"]) await memory.forget({ agentId: "a", target: text });
  await memory.add({ agentId: "b", sessionId: "s", text: "theirs" });
  await memory.forget({ agentId: "b", target: "theirs" });
  assertEquals((await undo()).text, "one");
  assertEquals(await live(), ["one, inferred"]);
});

test("undo with nothing to take back says so", async () => {
  const { undo } = await open();
  assertEquals((await assertRejects(undo, MemoryError)).message, 'Nothing to take back for agent "a"');
});

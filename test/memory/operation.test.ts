// A write that comes again with its operation's id: one effect, one answer.
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { idOf } from "../../src/core/ids.ts";
import { openMemory } from "../../src/memory/open.ts";
import type { Memory } from "../../src/memory/memory.ts";
import { withOperation } from "../../src/memory/operation.ts";
import { openReader } from "../../src/memory/reader.ts";
import { newStore } from "../support/stores.ts";

const agentId = "a";
const told = { agentId, sessionId: "s" };

const WRITES: Readonly<Record<string, (memory: Memory) => Promise<unknown>>> = {
  add: (memory) => memory.add({ ...told, text: "Ann likes coffee" }),
  update: (memory) => memory.update({ ...told, target: "Bob likes tea", text: "Bob likes water" }),
  forget: (memory) => memory.forget({ agentId, target: "Bob likes tea" }),
  pin: (memory) => memory.pin({ agentId, target: "Bob likes tea", pinned: true }),
  link: (memory) => memory.link({ agentId, source: "Ann", relation: "knows", target: "Bob" }),
  saveCheckpoint: (memory) => memory.saveCheckpoint({ agentId, state: { step: 1 } }),
};

for (const [name, write] of Object.entries(WRITES)) {
  test(`${name} sent twice, with another's write between`, async () => {
    const config = await newStore();
    const memory = await openMemory(config, { now: () => 1000 });
    await memory.add({ ...told, text: "Bob likes tea" });
    const stamped = withOperation(memory, idOf("a connection", 7));
    const first = await write(stamped);
    await memory.add({ ...told, text: "Cleo likes milk" });
    const reader = await openReader(config);
    const holds =
      async () => [await reader.list({ agentIds: [agentId], retired: true, limit: 100 }), await reader.agents()];
    const before = await holds();
    assertEquals(await write(stamped), first);
    assertEquals(await holds(), before);
    await reader.close();
    await memory.close();
  });
}

test("a fact told again after its retirement is a new write", async () => {
  const memory = await openMemory(await newStore());
  const first = await withOperation(memory, idOf("c", 1)).add({ ...told, text: "Ann likes coffee" });
  await memory.forget({ agentId, target: first.factId });
  assertEquals(await withOperation(memory, idOf("c", 1)).add({ ...told, text: "Ann likes coffee" }), first);
  assertEquals((await memory.search({ agentId, query: "coffee" })).hits, []);
  const second = await withOperation(memory, idOf("c", 2)).add({ ...told, text: "Ann likes coffee" });
  assertEquals((await memory.search({ agentId, query: "coffee" })).hits.map(({ factId }) => factId), [second.factId]);
  await memory.close();
});

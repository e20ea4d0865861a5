// A memory that outlives its daemon: what was cut off is asked again, with one effect.
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { remoteMemory } from "../../src/daemon/remote.ts";
import { sharedMemory } from "../../src/daemon/shared_memory.ts";
import { openMemory } from "../../src/memory/open.ts";
import { openReader } from "../../src/memory/reader.ts";
import { reached, stage } from "../support/daemon.ts";

const agentId = "a";
const told = { agentId, sessionId: "s" };

test("a write whose answer was lost with the connection has one effect", async () => {
  let cut = () => {};
  const { place, config } = await stage((methods) => ({
    ...methods,
    async add(request) {
      const done = await methods.add(request);
      cut();
      return await new Promise(() => done); // never answered
    },
    async forget(request) {
      await methods.forget(request);
      cut();
      return await new Promise(() => {});
    },
  }));
  for (const write of ["add", "forget"] as const) {
    const found = await reached(place);
    cut = () => found.socket.destroy();
    const memory = sharedMemory(remoteMemory(found), {
      memory: () => openMemory(config),
      reader: () => openReader(config),
    });
    const done = write === "add"
      ? await memory.add({ ...told, text: "Ann likes tea" })
      : await memory.forget({ agentId, target: "Ann likes tea" });
    if ("duplicate" in done) assertEquals(done.duplicate, false);
    else assertEquals(done.retired.length, 1);
    const { total } = await memory.list({ agentIds: [agentId], limit: 9, retired: true });
    assertEquals(total, 1);
    await memory.close();
  }
});

test("without a daemon it is the store's own memory, opened when first needed", async () => {
  const { config } = await stage();
  const opened: string[] = [];
  const memory = sharedMemory(undefined, {
    memory: () => (opened.push("memory"), openMemory(config)),
    reader: () => (opened.push("reader"), openReader(config)),
  });
  assertEquals(opened, []);
  await memory.saveCheckpoint({ agentId, state: { step: 1 } });
  assertEquals((await memory.resumeCheckpoint({ agentId })).state, { step: 1 });
  assertEquals(opened, ["reader"]);
  await memory.add({ ...told, text: "Ann likes tea" });
  assertEquals(opened, ["reader", "memory"]);
  await memory.close();
});

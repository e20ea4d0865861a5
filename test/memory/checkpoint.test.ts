// Absence and failure of checkpoints kept apart.
import { test } from "node:test";
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { MemoryError } from "../../src/core/errors.ts";
import { checkpointing } from "../../src/memory/checkpoint.ts";
import { openCheckpoints } from "../../src/store/checkpoints.ts";
import { openEmbedded } from "../../src/store/embedded.ts";
import { newDatabase, settings } from "../support/stores.ts";

const open = async (now = () => 1000) => checkpointing({ checkpoints: openCheckpoints(await newDatabase()), now });

test("resumeCheckpoint: none yet is no_checkpoint, an unknown id is no_match with a hint", async () => {
  const memory = await open();
  const none = await assertRejects(() => memory.resumeCheckpoint({ agentId: "a" }), MemoryError);
  assertEquals([none.code, none.message], ["no_checkpoint", 'No checkpoint found for agent "a"']);
  const unknown = await assertRejects(
    () => memory.resumeCheckpoint({ agentId: "a", checkpointId: "x y" }),
    MemoryError,
  );
  assertEquals([unknown.code, unknown.message], ["no_match", 'No checkpoint "x y" found for agent "a"']);
  assertMatch(unknown.hint ?? "", /newest/);
});

test("resumeCheckpoint: a store that cannot be opened is not absence", async () => {
  const checkpoints = openCheckpoints(openEmbedded(settings({ store: "/dev/null/below/store.db" })));
  const memory = checkpointing({ checkpoints, now: () => 1 });
  assertEquals(
    (await assertRejects(() => memory.resumeCheckpoint({ agentId: "a" }), MemoryError)).code,
    "store_missing",
  );
});

test("saveCheckpoint gives an id and a time that resumeCheckpoint gives back, the newest by default", async () => {
  let clock = 1000;
  const memory = await open(() => clock);
  const first = await memory.saveCheckpoint({ agentId: "a", label: "one", state: { step: 1 } });
  clock = 2000;
  const second = await memory.saveCheckpoint({ agentId: "a", messages: [{ role: "user", content: "hi" }] });
  assertEquals([first.createdAt, second.createdAt], [1000, 2000]);
  const newest = await memory.resumeCheckpoint({ agentId: "a" });
  assertEquals([newest.checkpointId, newest.createdAt, newest.messageCount], [second.checkpointId, 2000, 1]);
  const named = await memory.resumeCheckpoint({ agentId: "a", checkpointId: first.checkpointId });
  assertEquals([named.label, named.state], ["one", { step: 1 }]);
});

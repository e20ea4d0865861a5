// Checkpoints: saved whole, the newest found first, damage told and not skipped.
import { test } from "node:test";
import { assertEquals, assertRejects } from "@std/assert";
import { parseJson } from "../../src/core/json.ts";
import { MemoryError } from "../../src/core/errors.ts";
import { type NewCheckpoint, openCheckpoints } from "../../src/store/checkpoints.ts";
import { sql } from "../../src/store/database.ts";
import { newDatabase } from "../support/stores.ts";

const open = async () => {
  const database = await newDatabase();
  return { database, checkpoints: openCheckpoints(database) };
};
const one = (checkpointId: string, over: Partial<NewCheckpoint> = {}): NewCheckpoint => ({
  checkpointId,
  agentId: "a",
  now: 1000,
  ...over,
});

test("find gives back what save was given, and nothing that was not given", async () => {
  const { checkpoints } = await open();
  const state = parseJson('{"goal":"ship","id":9007199254740993,"deep":{"list":[1,null,"é"]}}') as Record<
    string,
    unknown
  >;
  const messages = [{ role: "user", content: "hi\n" }, { role: "agent", content: "" }];
  assertEquals(await checkpoints.save(one("c1", { label: "", state, messages })), 1000);
  const { state: kept, ...rest } = await checkpoints.find("a") ?? {};
  assertEquals(JSON.stringify(kept), JSON.stringify(state));
  assertEquals(rest as unknown, { checkpointId: "c1", createdAt: 1000, messageCount: 2, label: "", messages });
  await checkpoints.save(one("c2", { agentId: "bare" }));
  assertEquals(await checkpoints.find("bare"), { checkpointId: "c2", createdAt: 1000, messageCount: 0 });
});

test("find keeps an empty state and empty messages apart from none", async () => {
  const { checkpoints } = await open();
  await checkpoints.save(one("c1", { state: {}, messages: [] }));
  assertEquals(await checkpoints.find("a"), {
    checkpointId: "c1",
    createdAt: 1000,
    messageCount: 0,
    state: {},
    messages: [],
  });
});

test("find gives the newest: by time, within one millisecond by order, and with a clock that goes back", async () => {
  const { checkpoints } = await open();
  for (
    const [id, now, given] of [["z", 1000, 1000], ["b", 2000, 2000], ["a", 2000, 2000], ["c", 1500, 2000]] as const
  ) {
    assertEquals(await checkpoints.save(one(id, { now })), given);
    assertEquals((await checkpoints.find("a"))?.checkpointId, id);
  }
});

test("find by id: any of the agent's own, none of another's", async () => {
  const { checkpoints } = await open();
  await checkpoints.save(one("c1", { label: "first" }));
  await checkpoints.save(one("c2"));
  await checkpoints.save(one("d1", { agentId: "b", now: 9000 }));
  assertEquals((await checkpoints.find("a", "c1"))?.label, "first");
  assertEquals(await checkpoints.find("a", "d1"), undefined);
  assertEquals(await checkpoints.find("a", ""), undefined);
  assertEquals(await checkpoints.find("nobody"), undefined);
  assertEquals((await checkpoints.find("a"))?.checkpointId, "c2");
});

test("save: the same batch twice has one effect and gives the first time", async () => {
  const { checkpoints } = await open();
  await checkpoints.save(one("c1", { label: "first" }));
  assertEquals(await checkpoints.save(one("c1", { label: "again", now: 2000 })), 1000);
  assertEquals((await checkpoints.find("a"))?.label, "first");
});

const DAMAGE: Readonly<Record<string, string>> = {
  "a state cut short": "state = '{\"goal\"'",
  "a state that is an array": "state = '[1]'",
  "a state that is a string": "state = '\"x\"'",
  "a state that is null": "state = 'null'",
  "an empty state": "state = ''",
  "messages cut short": "messages = '[{'",
  "messages that are an object": "messages = '{}'",
  "a message without content": 'messages = \'[{"role":"user"}]\'',
  "a message that is a string": "messages = '[\"hi\"]'",
};

for (const [what, damage] of Object.entries(DAMAGE)) {
  test(`find tells ${what} by the checkpoint's id, and never goes on to an older one`, async () => {
    const { database, checkpoints } = await open();
    await checkpoints.save(one("older", { state: {} }));
    await checkpoints.save(one("broken", { state: {} }));
    await database.write([sql(`UPDATE checkpoints SET ${damage} WHERE checkpoint_id = 'broken'`)]);
    for (const id of [undefined, "broken"]) {
      const error = await assertRejects(() => checkpoints.find("a", id), MemoryError, '"broken"');
      assertEquals(error.code, "record_undecodable");
    }
    assertEquals((await checkpoints.find("a", "older"))?.checkpointId, "older");
  });
}

test("find prefers the newest of the agent's own to any that a hook saved, which are found where there is no other", async () => {
  const { database, checkpoints } = await open();
  for (let at = 0; at < 14; at++) await checkpoints.save(one(`auto${at}`, { now: 2000 + at, auto: true }));
  assertEquals((await checkpoints.find("a"))?.checkpointId, "auto13");
  await checkpoints.save(one("own", { now: 1 }));
  await checkpoints.save(one("later", { now: 9000, auto: true }));
  assertEquals((await checkpoints.find("a"))?.checkpointId, "own");
  const [kept = []] = await database.read([
    sql("SELECT checkpoint_id FROM checkpoints WHERE kind = 'auto' ORDER BY id"),
  ]);
  assertEquals(kept.map((row) => row["checkpoint_id"]).slice(0, 1), ["auto5"], "the newest ten are kept");
  assertEquals(kept.length, 10);
});

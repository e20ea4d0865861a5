// The gate that credentials do not pass: in, out, and for what names a fact by its text.
import { test } from "node:test";
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { MemoryError } from "../../src/core/errors.ts";
import { openMemory } from "../../src/memory/open.ts";
import { settings } from "../support/stores.ts";

const TOKEN = ["ghp", "_", "aB3dE6gH9jK2mN5pQ8rSaB3dE6gH9jK2mN5p"].join("");
const TOLD = `The deploy bot uses ${TOKEN} on the gateway`;
const KEPT = "The deploy bot uses [GitHub token removed] on the gateway";
const own = { agentId: "a", sessionId: "s" };

test("redact: a fact is stored without its credential, and the result says so", async () => {
  const memory = await openMemory(settings());
  const { replaced, duplicate } = await memory.add({ ...own, text: TOLD });
  assertEquals([replaced, duplicate], [["GitHub token"], false]);
  assertEquals((await memory.search({ agentId: "a", query: "deploy bot" })).hits.map(({ text }) => text), [KEPT]);
  assertEquals((await memory.add({ ...own, text: TOLD })).duplicate, true);
  assertEquals(Object.keys(await memory.add({ ...own, text: "Nothing secret" })).sort(), ["duplicate", "factId"]);
  const updated = await memory.update({ ...own, target: TOLD, text: `${TOLD}, still` });
  assertEquals([updated.retired.length, updated.replaced], [1, ["GitHub token"]]);
  assertEquals((await memory.forget({ agentId: "a", target: `${TOLD}, still` })).retired.length, 1);
  await memory.close();
});

test("redact: label, state and messages of a checkpoint", async () => {
  const memory = await openMemory(settings());
  const saved = await memory.saveCheckpoint({
    agentId: "a",
    label: `with ${TOKEN}`,
    state: { env: { DB_PASSWORD: "Tr0ub4dor&3" }, big: 1 },
    messages: [{ role: "user", content: `use ${TOKEN}` }],
  });
  assertEquals(saved.replaced, ["GitHub token", "password"]);
  const { label, state, messages } = await memory.resumeCheckpoint({ agentId: "a" });
  assertEquals([label, state, messages] as unknown, [
    "with [GitHub token removed]",
    { env: { DB_PASSWORD: "[password removed]" }, big: 1 },
    [{ role: "user", content: "use [GitHub token removed]" }],
  ]);
  await memory.close();
});

test("reject: nothing is stored, and the sentence does not repeat the credential", async () => {
  const memory = await openMemory(settings({ secrets: "reject" }));
  const refusals = [
    () => memory.add({ ...own, text: TOLD }),
    () => memory.saveCheckpoint({ agentId: "a", state: { note: TOLD } }),
  ];
  for (const refusal of refusals) {
    const error = await assertRejects(refusal, MemoryError);
    assertEquals(error.code, "invalid_argument");
    assertMatch(error.message, /it holds what looks like a credential \(GitHub token\)$/);
    assert(!`${error.message} ${error.hint}`.includes(TOKEN));
  }
  assertEquals((await memory.search({ agentId: "a", query: "deploy bot" })).hits, []);
  await memory.close();
});

test("allow keeps it; a later memory that does not allow it hides it on the way out", async () => {
  const config = settings();
  const open = await openMemory({ ...config, secrets: "allow" });
  assertEquals((await open.add({ ...own, text: TOLD })).replaced, undefined);
  assertEquals((await open.search({ agentId: "a", query: "deploy bot" })).hits[0]?.text, TOLD);
  await open.close();
  const closed = await openMemory(config);
  assertEquals((await closed.search({ agentId: "a", query: "deploy bot" })).hits[0]?.text, KEPT);
  await closed.close();
});

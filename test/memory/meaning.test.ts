// A change of embedder, or one that is away, costs meaning for a while: never a fact, an add or a search.
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import { assert, assertEquals, assertLess, assertMatch } from "@std/assert";
import type { Config, EmbedderSettings } from "../../src/core/config.ts";
import type { Memory } from "../../src/memory/memory.ts";
import { openMemory } from "../../src/memory/open.ts";
import { type Manner, MINILM_ABSENT, openEndpoint } from "../support/embedders.ts";
import { newStore } from "../support/stores.ts";

const AGENT = "a";
const FACTS = [
  "The staging database listens on port 6543",
  "Deploys to production need two approvals",
  "Anna walks her dog before breakfast",
];

function open(store: Config, embedder: EmbedderSettings): Promise<Memory> {
  return openMemory({ ...store, busyTimeout: 5000, embedder });
}

function add(memory: Memory, text: string) {
  return memory.add({ agentId: AGENT, text, sessionId: "s" });
}

async function search(memory: Memory, query: string) {
  const { hits, degraded } = await memory.search({ agentId: AGENT, query, topK: 50 });
  return { texts: hits.map(({ text }) => text), degraded: degraded?.join() };
}

/** The first answer that had its question's vector: on a busy machine minilm takes longer to load than a search waits. */
async function searchLoaded(memory: Memory, query: string) {
  for (;;) {
    const answer = await search(memory, query);
    if (!answer.degraded?.includes("away")) return answer;
  }
}

/** Every vector is made: a search does without nothing. */
async function settled(memory: Memory): Promise<void> {
  const limit = performance.now() + 15_000;
  for (let degraded: string | undefined = ""; degraded !== undefined; await sleep(25)) {
    ({ degraded } = await search(memory, FACTS[0] ?? ""));
    assertLess(performance.now(), limit, degraded);
  }
}

test("a change of embedder loses no fact and fails no call", async () => {
  const [endpoint, store] = [await openEndpoint(), await newStore()];
  const http = { name: "http", url: endpoint.url, model: "bag" } as const;
  const told: string[] = [];
  const stages: readonly (readonly [EmbedderSettings, string | undefined, Manner?])[] = [
    [{ name: "words" }, undefined],
    ...(MINILM_ABSENT
      ? []
      : [[{ name: "minilm" }, "3 facts have no vector of minilm-1 yet: found by words only"]] as const),
    [{ name: "none" }, undefined],
    [http, "facts have no vector of http:bag yet"],
    [http, "facts have no vector of http:bag yet", "wide"],
    [{ name: "none" }, undefined],
    [{ name: "words" }, "facts have no vector of words-2 yet"],
    [{ name: "words" }, undefined],
  ];
  for (const [stage, [embedder, expected, manner]] of stages.entries()) {
    endpoint.manner = manner ?? "openai";
    const memory = await open(store, embedder);
    for (const [at, text] of told.entries()) {
      const { texts, degraded } = await searchLoaded(memory, text);
      assert(texts.includes(text), `stage ${stage}: ${text}`);
      if (at === 0 && expected !== undefined) assertMatch(degraded ?? "", new RegExp(expected));
      if (expected === undefined) assertEquals(degraded, undefined, `stage ${stage}`);
    }
    for (const text of FACTS) {
      const fresh = `${text}, as of stage ${stage}`;
      assertEquals((await add(memory, fresh)).duplicate, false);
      told.push(fresh);
    }
    await settled(memory);
    await memory.close();
  }
  await endpoint.close();
});

test("facts told under another embedder are found by meaning once the first search was asked", async () => {
  const store = await newStore();
  const blind = await open(store, { name: "none" });
  for (const text of FACTS) await add(blind, text);
  const question = "Which socket does the test SQL server use?";
  assertEquals(await search(blind, question), { texts: [], degraded: undefined });
  await blind.close();
  const memory = await open(store, { name: "words" });
  assertMatch((await search(memory, question)).degraded ?? "", /^3 facts have no vector of words-2 yet/);
  await settled(memory);
  assertEquals((await search(memory, question)).texts[0], FACTS[0]);
  await memory.close();
});

test("minilm makes vectors of what is told behind the add", { skip: MINILM_ABSENT }, async () => {
  const memory = await open(await newStore(), { name: "minilm" });
  for (const text of FACTS) await add(memory, text);
  await settled(memory);
  assertEquals((await search(memory, "What does she do with her puppy in the morning?")).texts[0], FACTS[2]);
  await memory.close();
});

test("minilm leaves the vectors of a process that told one fact and ended", { skip: MINILM_ABSENT }, async () => {
  const store = await newStore();
  const teller = await open(store, { name: "minilm" });
  await settled(teller);
  await add(teller, FACTS[0] ?? "");
  await teller.close();
  const memory = await open(store, { name: "minilm" });
  assertEquals(await searchLoaded(memory, FACTS[0] ?? ""), { texts: FACTS.slice(0, 1), degraded: undefined });
  await memory.close();
});

const WRONG: readonly Manner[] = [
  "error",
  "locked",
  "html",
  "cut",
  "redirect",
  "strange",
  "nan",
  "empty",
  "fewer",
  "stall",
];
test("an endpoint that is down, slow or wrong fails no add and no search", async () => {
  for (const manner of [...WRONG, "down"] as const) {
    const endpoint = await openEndpoint(manner === "down" ? "openai" : manner);
    if (manner === "down") await endpoint.close();
    const memory = await open(await newStore(), { name: "http", url: endpoint.url, model: "bag", key: "sk-hidden" });
    for (const text of FACTS) await add(memory, text);
    for (const text of FACTS) {
      const started = performance.now();
      assertEquals(await search(memory, text), {
        texts: [text],
        degraded: "The embedder http:bag is away: matched by words only",
      }, manner);
      assertLess(performance.now() - started, 2500, manner);
    }
    await memory.close();
    if (manner !== "down") await endpoint.close();
  }
});

test("an endpoint that changes its width is not listened to, and one that came back is", async () => {
  const endpoint = await openEndpoint();
  const memory = await open(await newStore(), { name: "http", url: endpoint.url, model: "bag" });
  await add(memory, FACTS[0] ?? "");
  await settled(memory);
  endpoint.manner = "wide";
  assertMatch((await search(memory, "port of staging")).degraded ?? "", /away/);
  endpoint.manner = "openai";
  const { texts, degraded } = await search(memory, "staging port");
  assertEquals([texts, degraded], [[FACTS[0]], undefined]);
  await memory.close();
  await endpoint.close();
});

test("closing does not wait for an endpoint that does not answer", async () => {
  const endpoint = await openEndpoint("stall");
  const memory = await open(await newStore(), { name: "http", url: endpoint.url, model: "bag" });
  for (const text of FACTS) await add(memory, text);
  const started = performance.now();
  await memory.close();
  assertLess(performance.now() - started, 4000);
  assert(endpoint.asked.length <= 1);
  await endpoint.close();
});

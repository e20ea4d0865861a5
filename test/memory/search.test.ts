// What a search may see, in which order, and what it says when it finds nothing.
import { test } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { SearchRequest } from "../../src/memory/memory.ts";
import { openMemory } from "../../src/memory/open.ts";
import { newStore } from "../support/stores.ts";

const open = async () => {
  let clock = 0;
  const memory = await openMemory(await newStore(), { now: () => clock });
  const add = (text: string, at: number, agentId = "a") => {
    clock = at;
    return memory.add({ agentId, text, sessionId: `s${at}` });
  };
  const forget = (target: string, at: number) => {
    clock = at;
    return memory.forget({ agentId: "a", target });
  };
  const update = (target: string, text: string, at: number) => {
    clock = at;
    return memory.update({ agentId: "a", target, text, sessionId: "s" });
  };
  const ask = (over: Partial<SearchRequest> = {}) => memory.search({ agentId: "a", query: "kiwi", ...over });
  const texts = async (over: Partial<SearchRequest> = {}) => (await ask(over)).hits.map(({ text }) => text).sort();
  return { add, forget, update, ask, texts };
};

test("search: as_of shows what was held true then, with what became of it", async () => {
  const { add, forget, update, ask, texts } = await open();
  await add("kiwi one", 100);
  await update("kiwi one", "kiwi two", 200);
  await forget("kiwi two", 300);
  for (
    const [asOf, held] of [
      [99, []],
      [100, ["kiwi one"]],
      [199, ["kiwi one"]],
      [200, ["kiwi two"]],
      [299, ["kiwi two"]],
      [300, []],
    ] as const
  ) {
    assertEquals(await texts({ asOf }), [...held], `${asOf}`);
  }
  assertEquals(await texts(), []);
  const [hit] = (await ask({ asOf: 150 })).hits;
  const [heir] = (await ask({ asOf: 250 })).hits;
  assertEquals([hit?.retiredAt, hit?.supersededBy, heir?.retiredAt], [200, heir?.factId, 300]);
});

test("search: since and until hold both ends in, and go with as_of", async () => {
  const { add, forget, texts } = await open();
  for (const at of [100, 200, 300]) await add(`kiwi ${at}`, at);
  await forget("kiwi 200", 400);
  assertEquals(await texts({ since: 100, until: 300 }), ["kiwi 100", "kiwi 300"]);
  assertEquals(await texts({ since: 101 }), ["kiwi 300"]);
  assertEquals(await texts({ until: 299 }), ["kiwi 100"]);
  assertEquals(await texts({ since: 200, asOf: 250 }), ["kiwi 200"]);
  assertEquals(await texts({ since: 300, until: 100 }), []);
});

test("search: shared facts are for every agent that wants them, others' for none", async () => {
  const { add, texts, ask } = await open();
  await add("kiwi mine", 1);
  await add("kiwi theirs", 2, "b");
  await add("kiwi shared", 3, "__shared__");
  assertEquals(await texts(), ["kiwi mine", "kiwi shared"]);
  assertEquals(await texts({ includeShared: false }), ["kiwi mine"]);
  assertEquals(await texts({ agentId: "__shared__" }), ["kiwi shared"]);
  assertEquals((await ask()).hits.map(({ agentId }) => agentId).sort(), ["__shared__", "a"]);
});

test("search: the order is total, the same every time, newer first where scores are equal", async () => {
  const { add, ask } = await open();
  const alike = [
    "kiwi",
    "Kiwi",
    "KIWI",
    "kiwi.",
    "Kiwi.",
    "KIWI.",
    "(kiwi)",
    "(Kiwi)",
    "(KIWI)",
    "*kiwi",
    "*Kiwi",
    "*KIWI",
  ];
  for (const [place, text] of alike.entries()) await add(text, 100 + 100 * Math.floor(place / 3));
  const first = (await ask({ topK: 20 })).hits;
  assertEquals(first.length, 12);
  assert(new Set(first.map(({ score }) => score)).size < 4, "some scores must be equal");
  assertEquals((await ask({ topK: 20 })).hits, first);
  assertEquals((await ask({ topK: 5 })).hits, first.slice(0, 5));
  first.slice(1).forEach((after, at) => {
    const before = first[at];
    assert(before && before.score >= after.score);
    if (before.score !== after.score) return;
    assert(alike.indexOf(before.text) > alike.indexOf(after.text), "stored later comes first");
  });
  assert(first.every(({ score }) => score > 0 && score <= 1));
});

test("search: top_k is a ceiling, not a quota: nothing without evidence", async () => {
  const { add, ask, texts } = await open();
  await add("kiwi grows in the garden", 1);
  for (const at of [2, 3, 4, 5]) await add(`invoice ${at} was paid by bank transfer`, at);
  assertEquals(await texts({ topK: 50 }), ["kiwi grows in the garden"]);
  assertEquals((await ask({ query: "qzxwv jkqpt" })).hits, []);
});

test("search: explain adds signals whose parts make the score, otherwise none are there", async () => {
  const { add, ask } = await open();
  await add("kiwi grows", 1);
  const [plain] = (await ask()).hits;
  const [explained] = (await ask({ explain: true })).hits;
  assertEquals(plain?.why, undefined);
  const sum = explained?.why?.reduce((total, { part }) => total + part, 0) ?? 0;
  assert(Math.abs(sum - (explained?.score ?? 0)) < 1e-5);
});

test("search: an empty answer says why", async () => {
  const { add, ask, forget } = await open();
  assertEquals((await ask()).note, "No memories yet for this agent");
  await add("kiwi", 1, "my-app");
  assertMatch((await ask({ agentId: "My_Ap" })).note ?? "", /did you mean "my-app", which has 1\?/);
  assertEquals((await ask({ agentId: "unlike" })).note, "No memories yet for this agent");
  assertEquals((await ask({ agentId: "my-app", query: "qzxwv" })).note, "None relevant among 1");
  assertEquals((await ask({ agentId: "my-app", query: "?! …" })).note, "The query has no word to look for");
  await add("kiwi", 2);
  assertEquals((await ask()).note, undefined);
  await forget("kiwi", 3);
  assertEquals((await ask()).hits, []);
});

test(
  "search: a near-miss name is told where there are shared facts too",
  async () => {
    const { add, ask } = await open();
    await add("kiwi", 1, "my-app");
    await add("something else", 1, "__shared__");
    assertMatch((await ask({ agentId: "My_Ap" })).note ?? "", /did you mean "my-app"/);
  },
);

test("search: a quick one finds what shares a word, and nothing that is near in meaning alone", async () => {
  const { add, texts } = await open();
  await add("The physician's surgery opens at nine", 1);
  await add("The gateway listens on port 7410", 2);
  assertEquals(await texts({ query: "When does the doctor's practice open?", quick: true }), [
    "The physician's surgery opens at nine",
  ]);
  assertEquals(await texts({ query: "Which doctor?" }), ["The physician's surgery opens at nine"]);
  assertEquals(await texts({ query: "Which doctor?", quick: true }), []);
});

test("search: a long fact with a word like each asked one answers nothing if its meaning is another", async () => {
  const { add, ask, texts } = await open();
  const fact =
    "The mobile build signs with the March certificate, and the test phones are kept in the drawer beside the " +
    "printer in Olga's office";
  await add(fact, 1);
  assertEquals((await ask({ query: "Which magazine was in the kitchen cupboard?" })).hits, []);
  assertEquals(await texts({ query: "Where do we put away the handsets?" }), [fact]);
});

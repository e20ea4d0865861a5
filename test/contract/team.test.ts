// Several clients of one server: what each operation costs in requests, and what one sees of the others.
import { after, test } from "node:test";
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { Config } from "../../src/core/config.ts";
import { MemoryError } from "../../src/core/errors.ts";
import type { Memory } from "../../src/memory/memory.ts";
import { openMemory } from "../../src/memory/open.ts";
import { openDatabase } from "../../src/store/store.ts";
import { copyStore } from "../../src/store/transfer.ts";
import { startProxy } from "../support/proxy.ts";
import { NO_SQLD, startSqld } from "../support/sqld.ts";
import { rows, settings } from "../support/stores.ts";

const agentId = "a";
const FACTS = [
  "The staging database listens on port 6543",
  "Deploys to production need two approvals",
  "Anna walks her dog before breakfast",
  "The gateway moved from port 7410 to port 7411",
  "Kubernetes nodes are drained on Tuesdays",
  "Invoices are sent by the billing worker every night",
];
const QUERIES = [
  "which port does staging use",
  "who approves a release",
  "pet in the morning",
  "port",
  "bills",
  "nodes tuesday",
];

const add = (memory: Memory, text: string) => memory.add({ agentId, text, sessionId: "s" });
const update = (memory: Memory, target: string, text: string) =>
  memory.update({ agentId, target, text, sessionId: "s" });
const found = async (memory: Memory, query: string) =>
  (await memory.search({ agentId, query })).hits.map(({ text }) => text);

if (NO_SQLD) test("a team on a server", { skip: NO_SQLD }, () => {});
else {
  const server = await startSqld();
  const proxy = await startProxy(server.port);
  after(async () => {
    await proxy.close();
    await server.kill();
  });
  const on = (url: string): Config => settings({ store: url, server: { deadline: 5000 } });
  const fresh = async (...clocks: (() => number)[]) => {
    await server.wipe();
    const memories = clocks.map((now) => openMemory(on(proxy.url), { now }));
    return await Promise.all(memories);
  };
  const requests = async (work: () => Promise<unknown>) => {
    const before = proxy.requests;
    await work();
    return proxy.requests - before;
  };

  test("warm, every operation is one request", async () => {
    const [memory] = await fresh(Date.now);
    assert(memory);
    for (const text of FACTS) await add(memory, text);
    await memory.saveCheckpoint({ agentId, state: { step: 1 } });
    await found(memory, "port");
    const operations: Readonly<Record<string, () => Promise<unknown>>> = {
      search: () => found(memory, "which port does the staging database listen on"),
      "search as of": () => memory.search({ agentId, query: "port", asOf: Date.now() }),
      add: () => add(memory, "A fact that nobody has told yet"),
      "add again": () => add(memory, "A fact that nobody has told yet"),
      "search after an add": () => found(memory, "fact nobody told"),
      update: () => update(memory, FACTS[0] ?? "", "The staging database listens on port 6544"),
      forget: () => memory.forget({ agentId, target: FACTS[1] ?? "" }),
      pin: () => memory.pin({ agentId, target: FACTS[2] ?? "", pinned: true }),
      link: () => memory.link({ agentId, source: "x", relation: "r", target: "y" }),
      save: () => memory.saveCheckpoint({ agentId, state: { step: 2 } }),
      resume: () => memory.resumeCheckpoint({ agentId }),
    };
    const counted: Record<string, number> = {};
    for (const [name, work] of Object.entries(operations)) counted[name] = await requests(work);
    assertEquals(counted, Object.fromEntries(Object.keys(operations).map((name) => [name, 1])));
  });

  test("the first call of a process asks what the database is, nothing else", async () => {
    const [memory] = await fresh(Date.now);
    assert(memory);
    await add(memory, FACTS[0] ?? "");
    const other = await openMemory(on(proxy.url));
    assertEquals(await requests(() => found(other, "staging port")), 2);
  });

  test("what one tells, replaces or retires, the next search of another sees, by words and by meaning", async () => {
    const [one, two] = await fresh(Date.now, Date.now);
    assert(one && two);
    for (const memory of [one, two]) await found(memory, "anything");
    for (const text of FACTS) await add(one, text);
    assertEquals((await found(two, "staging database port"))[0], FACTS[0]);
    assertEquals((await found(two, "puppy stroll at dawn"))[0], FACTS[2]);
    await add(one, "Peter rides a bicycle to the office");
    assertEquals((await found(two, "cycling to work"))[0], "Peter rides a bicycle to the office");
    await update(one, FACTS[0] ?? "", "The staging database listens on port 7000");
    assertEquals((await found(two, "staging database port"))[0], "The staging database listens on port 7000");
    await one.forget({ agentId, target: FACTS[2] ?? "" });
    assert(!(await found(two, "puppy stroll at dawn")).includes(FACTS[2] ?? ""));
  });

  test("the same facts are found in the same order, with the same scores, as in a file", async () => {
    const clock = () => 1_700_000_000_000;
    const [remote] = await fresh(clock);
    assert(remote);
    const local = await openMemory(settings(), { now: clock });
    const retired = FACTS[3] ?? "";
    for (const memory of [remote, local]) {
      for (const text of FACTS) await add(memory, text);
      await memory.add({ agentId: "__shared__", text: "Ports below 1024 need root", sessionId: "t" });
      await update(memory, retired, "The gateway listens on port 7412");
    }
    for (const query of [...QUERIES, "kubernets", "gatway prot"]) {
      for (const asOf of [undefined, clock()]) {
        const answers = await Promise.all(
          [remote, local].map((memory) => memory.search({ agentId, query, asOf, explain: true, topK: 50 })),
        );
        const [ours, theirs] = answers.map(({ hits, ...rest }) => ({
          ...rest,
          hits: hits.map(({ text, score, why, createdAt }) => ({ text, score, why, createdAt })),
        }));
        assertEquals(ours, theirs, query);
      }
    }
  });

  test("an update of what another has just replaced or forgotten is a conflict that says what holds", async () => {
    const [one, two] = await fresh(Date.now, Date.now);
    assert(one && two);
    const { factId } = await add(one, "The limit is 10");
    const second = await update(one, factId, "The limit is 20");
    const third = await update(two, "The limit is 20", "The limit is 30");
    for (const target of ["The limit is 10", factId, second.factId]) {
      const error = await assertRejects(() => update(two, target, "The limit is 40"), MemoryError);
      assertEquals(error.code, "conflict");
      assertEquals(
        error.hint,
        `It now says "The limit is 30" (id ${third.factId}); update that one if it is still wrong`,
      );
    }
    await one.forget({ agentId, target: third.factId });
    const gone = await assertRejects(() => update(two, third.factId, "The limit is 40"), MemoryError);
    assertEquals([gone.code, gone.message.endsWith("was forgotten")], ["conflict", true]);
    assertEquals(await found(two, "limit"), []);
    const never = await assertRejects(() => update(two, "The limit was 5", "The limit is 40"), MemoryError);
    assertEquals(never.code, "no_match");
  });

  test("a copy worked on away from the server and copied back: nothing is lost on either side", async () => {
    const [team] = await fresh(Date.now);
    assert(team);
    for (const text of FACTS) await add(team, text);
    const file = settings();
    const bring = async (from: Config, to: Config) => {
      const [source, target] = [await openDatabase(from), await openDatabase(to)];
      const copied = await copyStore(source, target, () => {});
      assertEquals(copied.filter(({ differing }) => differing > 0), []);
      await Promise.all([source.close(), target.close()]);
    };
    await bring(on(proxy.url), file);
    const away = await openMemory(file);
    assertEquals(await found(away, "which port does staging use"), await found(team, "which port does staging use"));
    await add(away, "Told on the train");
    await update(away, FACTS[0] ?? "", "The staging database listens on port 1");
    await away.forget({ agentId, target: FACTS[5] ?? "" });
    await away.saveCheckpoint({ agentId, label: "on the train" });
    await add(team, "Told in the office");
    await update(team, FACTS[0] ?? "", "The staging database listens on port 2");
    await team.forget({ agentId, target: FACTS[4] ?? "" });
    await away.close();
    for (const _ of [1, 2]) await bring(file, on(proxy.url));
    const live = await rows(
      await openDatabase(on(server.url)),
      "SELECT text FROM facts WHERE retired_at IS NULL ORDER BY text",
    );
    const texts = live.map(({ text }) => text);
    assertEquals(texts, [
      FACTS[2],
      FACTS[1],
      FACTS[3],
      "The staging database listens on port 1",
      "The staging database listens on port 2",
      "Told in the office",
      "Told on the train",
    ]);
    assertEquals((await team.resumeCheckpoint({ agentId })).label, "on the train");
  });

  test("clocks that differ do not reorder what is told: the server's order does", async () => {
    const [ahead, behind] = await fresh(() => 2_000_000_000_000, () => 1_000_000_000_000);
    assert(ahead && behind);
    const told = ["kiwi", "Kiwi", "KIWI", "(kiwi)", "kiwi.", "*kiwi"];
    for (const [at, text] of told.entries()) {
      await (at % 2 === 0 ? ahead : behind).add({ agentId, text, sessionId: `s${at}` });
    }
    const { hits } = await behind.search({ agentId, query: "kiwi" });
    assertEquals(new Set(hits.map(({ score }) => score)).size, 1, "scores are equal");
    assertEquals(hits.map(({ text }) => text), told.toReversed());
    await ahead.saveCheckpoint({ agentId, label: "first" });
    await behind.saveCheckpoint({ agentId, label: "second" });
    assertEquals((await ahead.resumeCheckpoint({ agentId })).label, "second");
    const { retired } = await behind.forget({ agentId, target: told[0] ?? "" });
    assertEquals(retired.length, 1);
    assertEquals((await ahead.search({ agentId, query: "kiwi", asOf: 2_000_000_000_000 })).hits.length, 5);
  });
}

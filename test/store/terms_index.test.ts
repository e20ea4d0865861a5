// The index of terms against a recount, whatever was told, corrected and forgotten, through two connections.
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { openFacts } from "../../src/store/facts.ts";
import { decodeFound, findStatements, type Query } from "../../src/store/terms_index.ts";
import { effort, newDatabase, newFact, newStore, recount } from "../support/stores.ts";

const config = await newStore();
const databases = [await newDatabase(config), await newDatabase(config)] as const;

/** Few, so that targets match; some fold to the same text, share terms or are longer than a context holds. */
const LONG = Array.from("vwxyz", (letter) => letter.repeat(90)).join(" ");
const text = fc.constantFrom("red", " red", "red green", "red  green", "green green blue", "blue", "blue red", LONG);
const step = fc.record({
  action: fc.constantFrom("add", "add", "add", "update", "forget", "pin"),
  text,
  target: text,
  agent: fc.constantFrom("a", "b"),
  session: fc.constantFrom("s", "t"),
  now: fc.integer({ min: 1, max: 50 }),
  told: fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined }),
  through: fc.constantFrom(0, 1),
});
const folded = (one: string) => one.replace(/\s+/g, " ").trim();
let runs = 0;

test("terms_index equals a recount of the facts after any adds, updates, forgets and pins", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24, size: "max" }), async (steps) => {
      const run = ++runs;
      /** Folded text → exact text and id of each live fact: all the model needs to know. */
      const model = new Map<string, Map<string, { text: string; id: string }>>();
      for (const { action, text, target, agent, session, now, told, through } of steps) {
        const facts = openFacts(databases[through as 0 | 1]);
        const agentId = `${agent}${run}`;
        const live = model.get(agentId) ?? new Map<string, { text: string; id: string }>();
        model.set(agentId, live);
        const fact = newFact(text, { agentId, session, now, told });
        const match = live.get(folded(target))?.text === target ? live.get(folded(target)) : undefined;
        if (action === "add") {
          const known = live.get(folded(text));
          assertEquals(await facts.add(fact), { factId: known?.id ?? fact.factId, duplicate: known !== undefined });
          if (!known) live.set(folded(text), { text, id: fact.factId });
        } else if (action === "update") {
          if (match) live.delete(folded(target));
          const heir = live.get(folded(text))?.id ?? fact.factId;
          const expected = match ? { factId: heir, retired: [match.id] } : { factId: "", retired: [] };
          assertEquals(await facts.update(fact, target), expected);
          if (match && heir === fact.factId) live.set(folded(text), { text, id: heir });
        } else if (action === "forget") {
          assertEquals(await facts.retire({ agentId, target, now }), match ? [match.id] : []);
          if (match) live.delete(folded(target));
        } else {
          assertEquals(await facts.pin({ agentId, target, pinned: true }), match ? [match.id] : []);
        }
      }
      const { held, right } = await recount(databases[0], [...model.keys()]);
      assertEquals(held, right);
      const counts = (await openFacts(databases[1]).agents()).filter(({ agentId }) => model.has(agentId));
      assertEquals(
        new Map(counts.map(({ agentId, facts }) => [agentId, facts])),
        new Map([...model].filter(([, live]) => live.size > 0).map(([agentId, live]) => [agentId, live.size])),
      );
    }),
    { numRuns: effort(150) },
  );
});

const find = async (query: Partial<Query> & { terms: readonly string[] }, agentIds = ["q", "__shared__"]) => {
  const [database] = databases;
  const found = decodeFound(
    await database.read(findStatements({ limit: 10, ...query, scope: { agentIds, ...query.scope } })),
  );
  return { ...found, texts: found.candidates.map(({ fact }) => fact.text).sort() };
};

test("findStatements finds facts by any term, of the agents in scope alone", async () => {
  const facts = openFacts(databases[0]);
  for (const agentId of ["q", "__shared__", "stranger"]) {
    await facts.add(newFact(`kiwi ${agentId}`, { agentId, session: agentId }));
  }
  assertEquals((await find({ terms: ["kiwi"] })).texts, ["kiwi __shared__", "kiwi q"]);
  assertEquals((await find({ terms: ["stranger", "q"] })).texts, ["kiwi q"]);
  assertEquals((await find({ terms: [] })).texts, []);
  assertEquals((await find({ terms: ["kiwi"] }, ["nobody"])).corpora, []);
});

test("decodeFound gives the corpus of each agent, and candidates with terms between spaces", async () => {
  const { corpora, candidates } = await find({ terms: ["kiwi", "absent"] }, ["q"]);
  assertEquals(corpora.map(({ agentId, facts, meanLength }) => ({ agentId, facts, meanLength })), [
    { agentId: "q", facts: 1, meanLength: 2 },
  ]);
  assertEquals(corpora[0]?.frequencies, new Map([["kiwi", 1]]));
  assertEquals(candidates[0]?.terms, " kiwi q ");
  assertEquals(candidates[0]?.length, 2);
});

test("findStatements brings the neighbours of what it finds in the same session", async () => {
  const facts = openFacts(databases[0]);
  for (const word of ["one", "two", "three", "four", "five", "six"]) {
    await facts.add(newFact(word, { agentId: "near", session: "walk" }));
  }
  await facts.add(newFact("seven", { agentId: "near", session: "other" }));
  assertEquals((await find({ terms: ["three"] }, ["near"])).texts, ["five", "four", "one", "three", "two"]);
});

test("findStatements fetches facts by sequence too, but never another agent's", async () => {
  const { candidates } = await find({ terms: ["kiwi"] }, ["q", "stranger"]);
  const also = candidates.map(({ sequence }) => sequence);
  assertEquals(also.length, 2);
  assertEquals((await find({ terms: [], also }, ["q"])).texts, ["kiwi q"]);
});

test("findStatements takes quotes, operators and columns in a term as plain text", async () => {
  const { texts } = await find({ terms: ["NOT", "t:x", "*", "(", "a OR b", "NEAR"] });
  assert(texts.length === 0);
});

// Ranking is a pure function: same candidates, same scores, whatever their order.
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { inverseFrequency, rank, type Rankable } from "../../src/memory/rank.ts";

const corpus = { facts: 10, meanLength: 4, frequencies: new Map([["red", 2], ["blue", 8]]) };
const candidate = (terms: string, over: Partial<Rankable> = {}): Rankable => ({
  text: terms,
  terms: ` ${terms} `,
  context: " ",
  length: terms.split(" ").length,
  session: 1,
  corpus,
  ...over,
});
const question = (...terms: string[]) => ({
  asked: terms.map((term) => ({ term, weight: 1 })),
  sequence: terms,
  asksWhen: false,
});
const scores = (ranked: readonly { candidate: Rankable; score: number }[]) =>
  ranked.map(({ candidate: { text }, score }) => `${text} ${score}`).sort();

test("rank gives every candidate the same score in any order, and changes none of them", () => {
  const words = fc.array(fc.constantFrom("red", "blue", "green"), { minLength: 1, maxLength: 5 }).map((some) =>
    some.join(" ")
  );
  const many = fc.array(
    fc.record({
      terms: words,
      session: fc.integer({ min: 1, max: 3 }),
      cosine: fc.double({ min: -1, max: 1, noNaN: true }),
    }),
    { maxLength: 20 },
  );
  fc.assert(fc.property(many, (given) => {
    const candidates = given.map(({ terms, session, cosine }) => Object.freeze(candidate(terms, { session, cosine })));
    const ranked = rank(question("red", "blue"), candidates);
    assertEquals(scores(rank(question("red", "blue"), candidates.toReversed())), scores(ranked));
    for (const { score, coverage } of ranked) assert(score >= 0 && score <= 1 && coverage >= 0 && coverage <= 1);
  }));
});

test("rank: a fact that holds no asked word has no coverage, even if its neighbours do", () => {
  const [only] = rank(question("red"), [candidate("green", { context: " red red " })]);
  assertEquals(only?.coverage, 0);
  assertEquals(only?.signals.find(({ signal }) => signal === "words")?.value, 0);
});

test("rank: terms are matched whole", () => {
  const [only] = rank(question("red"), [candidate("redder hundred")]);
  assertEquals(only?.coverage, 0);
});

test("rank: a rare word tells more than a common one, and both more than one", () => {
  const ranked = rank(question("red", "blue"), ["red x", "blue x", "red blue"].map((terms) => candidate(terms)));
  const score = (text: string) => ranked.find((one) => one.candidate.text === text)?.score ?? -1;
  assert(score("red blue") > score("red x") && score("red x") > score("blue x"));
});

test("inverseFrequency falls with every fact that holds the term and is never negative", () => {
  const at = (df: number) => inverseFrequency({ facts: 10, frequencies: new Map([["t", df]]) }, "t");
  for (let df = 1; df <= 10; df++) assert(at(df) < at(df - 1) && at(df) > 0);
  assert(at(50) > 0);
});

test("rank puts a fact that holds the words before one that chance has put nearest in meaning", () => {
  const [first] = rank(question("red", "gold", "silver"), [candidate("red"), candidate("green", { cosine: 0.04 })])
    .sort((a, b) => b.score - a.score);
  assertEquals(first?.candidate.text, "red");
  const [near] = rank(question("white"), [candidate("red", { cosine: 0.1 }), candidate("green", { cosine: 0.5 })])
    .sort((a, b) => b.score - a.score);
  assertEquals(near?.candidate.text, "green");
});

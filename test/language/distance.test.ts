// Edits between two spellings, against the textbook recursion.
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { distance } from "../../src/language/distance.ts";

/** Optimal string alignment, written as its definition. */
function naive(a: string, b: string): number {
  if (a === "" || b === "") return a.length + b.length;
  const [x, y] = [a.slice(0, -1), b.slice(0, -1)];
  const swapped = a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1);
  return Math.min(
    naive(x, b) + 1,
    naive(a, y) + 1,
    naive(x, y) + Number(a.at(-1) !== b.at(-1)),
    swapped ? naive(a.slice(0, -2), b.slice(0, -2)) + 1 : Infinity,
  );
}

for (
  const [a, b, edits] of [
    ["", "", 0],
    ["", "ab", 2],
    ["color", "colour", 1],
    ["form", "from", 1],
    ["hte", "the", 1],
    ["kitten", "sitting", 3],
    ["ca", "abc", 3],
  ] as const
) {
  test(`distance from "${a}" to "${b}" is ${edits}`, () => assertEquals(distance(a, b, 9), edits));
}

const check = (a: string, b: string, limit: number) => {
  const [found, right] = [distance(a, b, limit), naive(a, b)];
  if (right <= limit) assertEquals(found, right, `${a} ${b} ${limit}`);
  else assert(found > limit, `${a} ${b} ${limit}`);
};

test("distance is the naive one up to the limit, and more than the limit beyond, for all short words", () => {
  const longer = (some: string[]) => some.flatMap((word) => ["a", "b", "c"].map((letter) => word + letter));
  const all = ["", ...longer([""]), ...longer(longer([""])), ...longer(longer(longer([""])))];
  for (const a of all) for (const b of all) for (const limit of [0, 1, 2, 3]) check(a, b, limit);
});

test("distance is the naive one for longer words too", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 4, maxLength: 7 });
  fc.assert(fc.property(word, word, fc.integer({ min: 1, max: 4 }), check));
});

test("distance gives up early: limit + 1 for lengths too far apart", () => {
  assertEquals(distance("a", "a".repeat(1_000_000), 2), 3);
});

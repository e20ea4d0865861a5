// Ids that a person can read out and that never meet.
import { test } from "node:test";
import { assertEquals, assertMatch } from "@std/assert";
import { newId } from "../../src/core/ids.ts";

const MANY = 20_000;

test("newId is 12 letters of lower-case Crockford base 32", () => {
  for (let i = 0; i < 500; i++) assertMatch(newId(), /^[0-9a-hjkmnp-tv-z]{12}$/);
});

test("newId never gives the same id twice", () => {
  assertEquals(new Set(Array.from({ length: MANY }, newId)).size, MANY);
});

test("newId uses all 32 letters at every place", () => {
  const seen = Array.from({ length: 12 }, () => new Set<string>());
  for (let i = 0; i < MANY; i++) [...newId()].forEach((letter, at) => seen[at]?.add(letter));
  assertEquals(seen.map(({ size }) => size), Array(12).fill(32));
});

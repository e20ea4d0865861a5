// The committed word table: it is the one that scripts/model recorded, and it knows the words it was made for.
import { assert, assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { loadWordTable, rowsIn } from "../../src/embed/words.ts";

const root = new URL("../../", import.meta.url);

test("the table's files are those that scripts/model/record.json tells of", () => {
  const { outputs } = JSON.parse(readFileSync(new URL("scripts/model/record.json", root), "utf8"));
  const sums = Object.keys(outputs).map((name) => {
    const bytes = readFileSync(new URL(`src/embed/table/${name}`, root));
    return [name, createHash("sha256").update(bytes).digest("hex")];
  });
  assertEquals(Object.fromEntries(sums), outputs);
  assertEquals(sums.length, 3);
});

test("words of software and of the kitchen are known as a whole, and related ones are alike", async () => {
  const table = await loadWordTable(() => false);
  const row = (word: string) => table.rows(word)[0] ?? -1;
  const unknown = ["javascript", "endpoint", "git", "vegan", "timestamp"].filter((word) => !table.knows(word));
  assertEquals(unknown, []);
  const [near, far] = [
    table.likeness(row("doctor"), row("physician")),
    table.likeness(row("doctor"), row("javascript")),
  ];
  assert(near > 0.4 && near > far + 0.3, `${near} and ${far}`);
});

test("rowsIn reads small letters without marks, leaves stop words out and takes the longest known pieces", () => {
  const rowOf = new Map(["cafe", "kub", "##er", "##ernetes"].map((word, row) => [word, row]));
  const rows = rowsIn("The Café, Kubernetes & kubx", rowOf, (word) => word === "the");
  assertEquals([...rows], [0, 1, 3]);
});

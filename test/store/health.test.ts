// A sound store is found sound, a damaged index is found and made anew.
import { existsSync } from "node:fs";
import { test } from "node:test";
import Libsql from "libsql";
import { assert, assertEquals } from "@std/assert";
import { openEmbedded } from "../../src/store/embedded.ts";
import { openFacts } from "../../src/store/facts.ts";
import { examine, reindex, storeExists } from "../../src/store/health.ts";
import { newFact, recount, settings } from "../support/stores.ts";

async function told() {
  const config = settings();
  const database = openEmbedded(config);
  const facts = openFacts(database);
  for (const text of ["red green", "red blue blue", "grey"]) await facts.add(newFact(text));
  await facts.add(newFact("other words", { agentId: "b", now: 5000 }));
  await facts.retire({ agentId: "a", target: "grey", now: 2000 });
  await database.close();
  return config;
}

const DAMAGE: Readonly<Record<string, readonly [statement: string, agents: readonly string[]]>> = {
  "a fact that is not in the index": ["DELETE FROM fts WHERE rowid = 1", ["a"]],
  "a retired fact that is not in the index": ["DELETE FROM fts WHERE rowid = 3", ["a"]],
  "an empty index": ["INSERT INTO fts (fts) VALUES ('delete-all')", ["a", "b"]],
  "a wrong count": ["UPDATE agents SET facts = 7 WHERE name = 'b'", ["b"]],
  "an empty dictionary": ["DELETE FROM terms", ["a", "b"]],
};

test("examine finds a sound store sound", async () => {
  const config = await told();
  const { file, ...rest } = await examine(config);
  assertEquals(rest, {
    schema: { found: rest.schema.known, known: rest.schema.known },
    integrity: "ok",
    outOfStep: [],
    facts: 3,
    lastTold: 5000,
  });
  assert(file && file.free > 0 && file.size > 0 && file.log >= 0);
});

for (const [name, [statement, agents]] of Object.entries(DAMAGE)) {
  test(`examine finds ${name}, reindex repairs it`, async () => {
    const config = await told();
    const db = new Libsql(config.store);
    db.exec(statement);
    db.close();
    assertEquals((await examine(config)).outOfStep, agents);
    await reindex(config);
    assertEquals((await examine(config)).outOfStep, []);
    const { held, right } = await recount(openEmbedded(config), ["a", "b"]);
    assertEquals(held, right);
  });
}

test("storeExists looks without making one", () => {
  const config = settings();
  assertEquals(storeExists(config), false);
  assertEquals(existsSync(config.store), false);
});

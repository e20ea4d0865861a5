// The visible surface of the tools, frozen: a change here is a contract change.
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { assert, assertEquals, assertLess, assertMatch } from "@std/assert";
import { printTools } from "../../scripts/generate.ts";
import { INSTRUCTIONS } from "../../src/mcp/greeting.ts";
import { BM25, MODEL_WEIGHTS, WEIGHTS, WITHOUT_WORDS } from "../../src/memory/rank.ts";
import TOOL_LIST from "../../src/tools.json" with { type: "json" };

test("tools.json is what tools.ts prints, byte for byte", () => {
  assertEquals(readFileSync(new URL("../../src/tools.json", import.meta.url), "utf8"), printTools());
});

test("tools.json holds five tools with the contract's arguments", () => {
  const args = Object.fromEntries(
    TOOL_LIST.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties).sort()]),
  );
  assertEquals(args, {
    memory_search: ["agent_id", "as_of", "explain", "include_shared", "query", "since", "top_k", "until"],
    memory_add: ["agent_id", "confidence", "session_id", "text", "told_at"],
    checkpoint_save: ["agent_id", "label", "messages", "state"],
    checkpoint_resume: ["agent_id", "checkpoint_id", "include_messages", "on_missing"],
    memory_reflect: ["action", "agent", "agent_id", "relation", "target", "text"],
  });
});

test("tools.json stays within the token budget", () => {
  const paid = TOOL_LIST.map(({ name, description, inputSchema }) =>
    JSON.stringify({ name, description, inputSchema }).length
  );
  assertLess(paid.reduce((sum, size) => sum + size, 0), 6500);
  assertLess(JSON.stringify({ tools: TOOL_LIST }).length, 14_000);
  assertLess(INSTRUCTIONS.length, 1500);
});

test("tools.json is portable: flat, closed, described, without references", () => {
  for (const { name, title, description, inputSchema, outputSchema, annotations } of TOOL_LIST) {
    assertMatch(name, /^[a-z_]{1,40}$/);
    assertMatch(description, /Use when .*Do not use /s);
    assert(description.length >= 200 && description.length <= 1500, name);
    assertEquals(annotations.title, title);
    assertEquals(Object.keys(annotations).sort(), [
      "destructiveHint",
      "idempotentHint",
      "openWorldHint",
      "readOnlyHint",
      "title",
    ]);
    assertEquals([inputSchema.type, outputSchema.type], ["object", "object"]);
    for (const word of ["anyOf", "oneOf", "allOf"]) assert(!Object.hasOwn(inputSchema, word), `${name} ${word}`);
    assert(!/"(\$schema|\$ref|\$defs|prefixItems|nullable)"/.test(JSON.stringify([inputSchema, outputSchema])), name);
    for (const property of Object.values(inputSchema.properties)) {
      assert((property as { description?: string }).description, name);
    }
  }
});

test("WEIGHTS and BM25 change only on purpose", () => {
  assertEquals(WEIGHTS, {
    words: 1,
    likeness: 0.7,
    meaning: 0.5,
    session: 0.2,
    speaker: 0.3,
    time: 0.3,
    phrase: 0.2,
    question: -0.2,
  });
  assertEquals(WITHOUT_WORDS, 5 / 3);
  assertEquals(MODEL_WEIGHTS, { ...WEIGHTS, meaning: 1 });
  assertEquals(BM25, { k1: 0.9, b: 0.3, context: 0.35, neighbours: 4 });
});

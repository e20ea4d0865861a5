// Whatever arguments come, a tool answers with a valid success or a text-only error.
import { after, test } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { openMemory } from "../../src/memory/open.ts";
import { callTool } from "../../src/tool.ts";
import { TOOLS } from "../../src/tools.ts";
import TOOL_LIST from "../../src/tools.json" with { type: "json" };
import { temporaryStore } from "../support/temporary.ts";

const memory = await openMemory({ store: temporaryStore(), durability: "normal", busyTimeout: 1000 });
after(() => memory.close());

const KNOWN = [...new Set(TOOL_LIST.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties)))];
const WORDS = [
  "a",
  "agent",
  "",
  " ",
  "1",
  "true",
  "null",
  "{}",
  "[]",
  "add",
  "update",
  "forget",
  "link",
  "pin",
  "empty",
  "error",
  "\u0000",
  "\ud800",
  "2026-12-01",
  "x".repeat(300),
];
const value = fc.oneof(
  fc.constantFrom<unknown>(...WORDS, null, true, false, 0, 1, -1, 2.5, 1e9, NaN, [], {}),
  fc.string({ unit: "binary" }),
  fc.anything({ withNullPrototype: true }),
);
const args = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.dictionary(fc.constantFrom(...KNOWN, "__proto__", "constructor", "limit"), value, { maxKeys: 8 }),
  },
  { weight: 1, arbitrary: fc.anything() },
);
/** Enough of what is needed that many calls get past the checks. */
const likely = fc.tuple(args, fc.constantFrom("a", "b", "__shared__")).map(([some, agent]) => ({
  text: "a fact",
  query: "fact",
  action: "add",
  ...(typeof some === "object" ? some : {}),
  agent_id: agent,
}));

for (const tool of TOOLS) {
  test(`${tool.name} answers any arguments with a valid success or a text-only error`, async () => {
    const schema = TOOL_LIST.find(({ name }) => name === tool.name)?.inputSchema;
    assert(schema);
    await fc.assert(
      fc.asyncProperty(fc.oneof(args, likely), async (given) => {
        const outcome = await callTool({
          tool,
          schema,
          args: given,
          caller: { sessionId: "s" },
          memory: () => Promise.resolve(memory),
        });
        if ("fault" in outcome) {
          assertEquals(
            outcome.fault.code === "internal" || outcome.fault.code.startsWith("store_"),
            false,
            outcome.text,
          );
          assertMatch(outcome.text, /^(Cannot|No checkpoint)/);
          assert(!/\n\s+at /.test(outcome.text));
          return;
        }
        assert(tool.output().allows(outcome.answer.structured));
        assert(outcome.answer.text.trim() !== "");
        assert(JSON.stringify(outcome.answer).isWellFormed());
      }),
      { numRuns: 300 },
    );
  });
}

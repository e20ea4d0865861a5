// The block that models follow: true to the tools, short, and put in and taken out without a trace.
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { block, withBlock, withoutBlock } from "../../src/hosts/instructions.ts";
import TOOL_LIST from "../../src/tools.json" with { type: "json" };

/** Counted high: most tokenizers make fewer of English prose. */
const CHARACTERS_A_TOKEN = 4;

test("block names all five tools, and nothing in code marks that the tools do not have", () => {
  const known = new Set(TOOL_LIST.flatMap(({ name, inputSchema }) => [name, ...Object.keys(inputSchema.properties)]));
  for (const text of [block(), block("my_app")]) {
    const named = [...text.matchAll(/`(\w+_\w+|action|state|query|target|text)`/g)].map(([, word = ""]) => word);
    assertEquals(named.filter((word) => !known.has(word) && word !== "my_app"), []);
    for (const { name } of TOOL_LIST) assert(named.includes(name), name);
  }
});

test("block quotes only values that the arguments take", () => {
  const schemas = JSON.stringify(TOOL_LIST.map(({ inputSchema }) => inputSchema));
  const quoted = [...block().matchAll(/"(\w+)"/g)].map(([, word = ""]) => word);
  assertEquals(quoted, ["empty", "update"]);
  for (const word of quoted) assert(schemas.includes(`"${word}"`), word);
});

test("block costs at most 400 tokens", () => {
  assert(block().length / CHARACTERS_A_TOKEN <= 400, String(block().length));
});

test("block names the agent where it is known, else the rule", () => {
  assert(block("my-app").includes("`agent_id` is `my-app`"));
  assert(block().includes("git remote get-url origin"));
});

test("withBlock and withoutBlock leave the rest as it was", () => {
  for (const text of ["", "# Mine\n", "# Mine", "# Mine\n\n", "# Mine\r\n\r\ntext\r\n"]) {
    const made = withBlock(text, block());
    assertEquals(withBlock(made, block()), made);
    if (text.includes("\r\n")) assert(!/[^\r]\n/.test(made));
    assertEquals(withoutBlock(made).trimEnd(), text.trimEnd());
    if (/^$|[^\n]\r?\n$/.test(text)) assertEquals(withoutBlock(made), text);
    const between = `${made}\nAfter\n`;
    assertEquals(withoutBlock(between).endsWith("After\n"), true);
  }
});

test("withBlock puts a new block in an older one's place", () => {
  const old = "a\n\n<!-- holdfast:begin v0 (x) -->\nold words\n<!-- holdfast:end -->\n\nb\n";
  const made = withBlock(old, block());
  assertEquals(made, `a\n\n${block()}\n\nb\n`);
  assertEquals(withoutBlock(made), "a\n\nb\n");
});

test("a marker without its end is not a block", () => {
  const text = "<!-- holdfast:begin v1 (x) -->\nwords\n";
  assertEquals(withoutBlock(text), text);
});

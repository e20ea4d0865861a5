// The last turns of a conversation, from what hosts keep of it.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { lastTurns } from "../../src/hosts/transcript.ts";
import { temporaryFolder } from "../support/temporary.ts";

function kept(text: string): string {
  const path = join(temporaryFolder(), "t.jsonl");
  writeFileSync(path, text);
  return path;
}

const line = (value: unknown) => `${JSON.stringify(value)}\n`;

test("lastTurns reads Claude Code's lines and Codex's", () => {
  const text = line({ type: "user", message: { role: "user", content: "one" } }) +
    line({
      type: "response_item",
      payload: { type: "message", role: "assistant", content: [{ type: "output_text", text: "two" }] },
    }) +
    line({ type: "response_item", payload: { type: "function_call", name: "x" } }) +
    line({ type: "summary", summary: "three" });
  assertEquals(lastTurns(kept(text)), [{ role: "user", content: "one" }, { role: "assistant", content: "two" }]);
});

test("lastTurns keeps the last eight, long ones cut, from the end of a file of any size", () => {
  const many = Array.from(
    { length: 3000 },
    (_, at) => line({ message: { role: "user", content: `${at} ${"y".repeat(300)}` } }),
  );
  const turns = lastTurns(kept(many.join("") + line({ message: { role: "user", content: "z".repeat(9000) } })));
  assertEquals(turns.length, 8);
  assertEquals(turns[0]?.content.slice(0, 5), "2993 ");
  assertEquals(turns.at(-1)?.content, `${"z".repeat(2000)}…`);
});

test("lastTurns of a file that is away, empty, garbage or one JSON document is none", () => {
  const paths = [
    undefined,
    "/nowhere",
    temporaryFolder(),
    kept(""),
    kept("\u0000\n{{{\n"),
    kept('{\n "messages": []\n}'),
    kept("[1]\n7\nnull\n"),
  ];
  for (const path of paths) assertEquals(lastTurns(path), [], path);
});

// What the shell says when something is wrong: one sentence and what to try, on standard error alone, with the promised status.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { assertEquals, assertMatch } from "@std/assert";
import { CODES } from "../../src/core/errors.ts";
import { holdfast } from "../support/shell.ts";
import { temporaryFolder } from "../support/temporary.ts";

describe("an error", { concurrency: 3 }, () => {
  const folder = temporaryFolder();
  const text = join(folder, "diary.txt");
  writeFileSync(text, "Dear diary");
  const rows: readonly (readonly [words: string[], code: keyof typeof CODES, message: RegExp])[] = [
    [["no-such"], "invalid_argument", /Unknown command "no-such"/],
    [["checkpoint"], "invalid_argument", /Unknown command "checkpoint"/],
    [["checkpoint", "drop"], "invalid_argument", /Unknown command "checkpoint drop"/],
    [["mcp", "extra"], "invalid_argument", /Unexpected argument 'extra'/],
    [["search", "--agent-id", "a", "--no-such", "x"], "invalid_argument", /Unknown option '--no-such'/],
    [["search", "--agent-id", "a"], "invalid_argument", /query must be a string \(was missing\)/],
    [
      ["search", "--agent-id", "a", "x", "--top-k", "ten"],
      "invalid_argument",
      /top_k must be a number \(was a string\)/,
    ],
    [["search", "--agent-id", "a", "x", "--top-k", "101"], "invalid_argument", /top_k must be at most 100 \(was 101\)/],
    [["add", "--agent-id", "a", " "], "invalid_argument", /text must be not blank/],
    [["add", "--agent-id", "a", "x", "--text", "y"], "invalid_argument", /text is given twice/],
    [["add", "--agent-id", "a", "x", "--durability", "odd"], "invalid_argument", /Cannot use "odd" as durability/],
    [["checkpoint", "resume", "--agent-id", "nobody"], "no_checkpoint", /No checkpoint found for agent "nobody"/],
    [["checkpoint", "resume", "--agent-id", "a", "--checkpoint-id", "0"], "no_match", /No checkpoint "0" found/],
    [
      ["reflect", "forget", "--agent-id", "a", "--target", "nothing"],
      "no_match",
      /no memory of agent "a" matches "nothing"/,
    ],
    [["search", "--agent-id", "a", "x", "--store", text], "store_not_database", /its file is not a database/],
    [
      ["search", "--agent-id", "a", "x", "--store", join(text, "store.db")],
      "store_missing",
      /its directory does not exist/,
    ],
  ];
  for (const [words, code, message] of rows) {
    test(`${words.join(" ").replace(folder, "…")}: exit status ${CODES[code].exit}`, async () => {
      const { status, stdout, stderr } = await holdfast(join(folder, "store.db"), words);
      assertEquals([status, stdout], [CODES[code].exit, ""], stderr);
      assertMatch(stderr, message);
      assertMatch(stderr, /^holdfast: [^\n]+\nTry: [^\n]+\n$/);
    });
  }
});

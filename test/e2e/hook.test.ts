// `holdfast hook` as hosts run it: whatever it is given it ends with 0, in time, and says nothing but JSON.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { describe, test } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { COMMAND, EXECUTABLE, FIRST } from "../support/program.ts";
import { bytesOf } from "../support/stdio.ts";
import { temporaryFolder } from "../support/temporary.ts";

/** The cap is 800 ms; the rest is what a busy machine takes to start and to reap a process. */
const PATIENCE = 6000;

interface Given {
  readonly words?: readonly string[];
  /** What is written; undefined leaves the input closed from the start. */
  readonly input?: string | Uint8Array | undefined;
  readonly open?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly home?: string;
  readonly node?: readonly string[];
}

async function hook({ words = ["prompt", "--host", "claude-code"], input, open = false, env, home, node = [] }: Given) {
  const folder = home ?? temporaryFolder();
  const start = performance.now();
  const child = spawn(COMMAND, [...node, ...FIRST, "hook", ...words], {
    cwd: folder,
    env: env ?? { HOME: folder },
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  child.stdin?.on("error", () => {});
  if (input !== undefined) child.stdin?.write(input);
  if (!open) child.stdin?.end();
  const status = new Promise<number | null>((resolve) => child.on("close", resolve));
  const [stdout, stderr] = await Promise.all(
    [child.stdout, child.stderr].map((stream) => stream ? bytesOf(stream) : ""),
  );
  const ran = { status: await status, stdout: stdout ?? "", stderr: stderr ?? "", took: performance.now() - start };
  child.stdin?.destroy();
  return { ...ran, log: log(folder) };
}

function log(home: string): string {
  const path = join(home, ".local/share/holdfast/hooks/log");
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

const START = JSON.stringify({ session_id: "s", hook_event_name: "SessionStart", source: "startup" });
const five = JSON.stringify({ session_id: "s", prompt: "x ".repeat(2_500_000) });

const INPUTS: Readonly<Record<string, Given>> = {
  "closed": {},
  "empty": { input: "" },
  "garbage": { input: "\u0000{{{ not json" },
  "not UTF-8": { input: Uint8Array.of(0xff, 0xfe, 0x00) },
  "an array": { input: "[1,2]" },
  "wrong types": { input: '{"session_id":7,"prompt":{"a":1},"cwd":[],"transcript_path":true}' },
  "5 MB": { input: five },
  "never ending": { input: '{"prompt": "half', open: true },
  "never written": { input: "", open: true },
};

describe("whatever comes on standard input", () => {
  for (const [name, given] of Object.entries(INPUTS)) {
    test(name, async () => {
      const { status, stdout, stderr, took } = await hook(given);
      assertEquals([status, stderr], [0, ""]);
      if (stdout !== "") JSON.parse(stdout);
      assert(took < PATIENCE, `${took} ms`);
    });
  }
});

describe("whatever is wrong around it", () => {
  const WORDS: Readonly<Record<string, readonly string[]>> = {
    "no event": [],
    "an unknown event": ["shout", "--host", "claude-code"],
    "an unknown host": ["session-start", "--host", "emacs"],
    "an unknown flag": ["prompt", "--bogus"],
    "a store that is no place": ["session-start", "--host", "claude-code", "--store", "/dev/null/x.db"],
    "a store by URL": ["session-start", "--host", "claude-code", "--store", "libsql://example.com"],
  };
  for (const [name, words] of Object.entries(WORDS)) {
    test(name, async () => {
      const { status, stdout, stderr, took } = await hook({ words, input: START });
      assertEquals([status, stdout, stderr], [0, "", ""]);
      assert(took < PATIENCE, `${took} ms`);
    });
  }

  test("a failure is one line in the log", async () => {
    const { log } = await hook({ words: WORDS["a store that is no place"] ?? [], input: START });
    assertMatch(log, /^\d{4}-[^\n]*Z session-start for claude-code: [^\n]+\n$/);
  });

  test("another program's database as the store", async () => {
    const home = temporaryFolder();
    const store = join(home, "notes.db");
    writeFileSync(store, "not a database");
    const { status, stdout, stderr } = await hook({
      home,
      words: ["session-start", "--host", "claude-code", "--store", store],
      input: START,
    });
    assertEquals([status, stdout, stderr, readFileSync(store, "utf8")], [0, "", "", "not a database"]);
  });

  test("no home", async () => {
    const { status, stderr } = await hook({ env: { HOME: "/" }, input: START });
    assertEquals([status, stderr], [0, ""]);
  });
});

/** The cap holds on a busy machine too, where a hook may then say nothing: it is asked again. */
async function answered(given: Given): Promise<{ readonly hookSpecificOutput: Readonly<Record<string, string>> }> {
  for (let tries = 0; tries < 20; tries++) {
    const { status, stdout, log } = await hook(given);
    assertEquals(status, 0);
    if (stdout !== "") return JSON.parse(stdout);
    assertMatch(log, /Not done within/);
  }
  throw new Error("No answer in 20 runs");
}

test("session-start answers as the host wants it, for the folder that the host names, though the input stays open", async () => {
  const home = temporaryFolder();
  const cwd = join(home, "my-app");
  mkdirSync(cwd);
  const input = JSON.stringify({ session_id: "s", cwd, hook_event_name: "SessionStart", source: "startup" });
  const words = ["session-start", "--host", "claude-code"];
  const { hookSpecificOutput } = await answered({ home, words, input, open: true });
  assertEquals(hookSpecificOutput["hookEventName"], "SessionStart");
  assertMatch(hookSpecificOutput["additionalContext"] ?? "", /in this project: "my-app"/);
  const cursor = await answered({ home, words: ["session-start", "--host", "cursor"], input });
  assertEquals(Object.keys(cursor), ["additional_context"]);
  const gemini = await answered({ home, words: ["session-start", "--host", "gemini"], input });
  assertEquals(gemini.hookSpecificOutput["hookEventName"], "SessionStart");
});

const skip = EXECUTABLE && "the executable takes no flags of Node";

test("no event loads ArkType or the MCP SDK", { skip }, async () => {
  const folder = temporaryFolder();
  const listing = join(folder, "loaded");
  const watch = join(folder, "watch.mjs");
  writeFileSync(
    watch,
    `import { registerHooks } from "node:module"; import { appendFileSync } from "node:fs";
     registerHooks({ resolve(specifier, context, next) {
       const found = next(specifier, context);
       appendFileSync(${JSON.stringify(listing)}, found.url + "\\n");
       return found;
     } });`,
  );
  for (const event of ["session-start", "prompt", "pre-compact", "session-end"]) {
    await hook({
      node: ["--import", watch],
      words: [event, "--host", "claude-code"],
      input: JSON.stringify({ prompt: "what is the port?" }),
    });
  }
  const loaded = readFileSync(listing, "utf8");
  assertMatch(loaded, /hosts\/hook\.ts/);
  assert(!/arktype|modelcontextprotocol|clack/.test(loaded));
});

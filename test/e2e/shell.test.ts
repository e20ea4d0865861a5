// Holdfast from the shell: the same tools, their results on standard output, and the demo.
import { execFile, spawn } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import manifest from "../../package.json" with { type: "json" };
import TOOL_LIST from "../../src/tools.json" with { type: "json" };
import { COMMAND, FIRST, SHELL_WORDS } from "../support/program.ts";
import { holdfast, type Ran } from "../support/shell.ts";
import { surroundings, withServer } from "../support/stdio.ts";
import { temporaryFolder, temporaryStore } from "../support/temporary.ts";

const FACT = "The gateway listens on port 7410";

function good({ status, stdout, stderr }: Ran): string {
  assertEquals([status, stderr], [0, ""]);
  assertMatch(stdout, /[^\n]\n$/);
  return stdout.slice(0, -1);
}

test("--version and --help, however they are asked for", async () => {
  const store = temporaryStore();
  const asked = await Promise.all(["--version", "-V", "--help", "-h", "help"].map((word) => holdfast(store, [word])));
  const [version = "", short, help = "", ...more] = asked.map(good);
  assertEquals([version, short], [manifest.version, manifest.version]);
  assertEquals(more, [help, help]);
  for (const name of ["mcp", "demo", "search", "add", "reflect", "checkpoint save", "checkpoint resume"]) {
    assertMatch(help, new RegExp(`^  ${name} {2,}\\S`, "m"));
  }
});

describe("flags are the tools' arguments in kebab case", () => {
  const rows = { "search": 0, "add": 1, "checkpoint save": 2, "checkpoint resume": 3, "reflect": 4 };
  test("in every command's help", async () => {
    await Promise.all(
      Object.entries(rows).map(async ([name, at]) => {
        const help = good(await holdfast(temporaryStore(), [...name.split(" "), "--help"]));
        const flags = [...help.matchAll(/^ {2}--([a-z-]+)/gm)].map(([, flag]) => flag);
        const derived = Object.keys(TOOL_LIST[at]?.inputSchema.properties ?? {}).map((key) => key.replaceAll("_", "-"));
        assertEquals(
          flags.sort(),
          [...derived, "json", "store", "durability", "embedder", "secrets", "help"].sort(),
          name,
        );
      }),
    );
  });
});

test("every tool, in text and as JSON equal to the structured content", async () => {
  const store = temporaryStore();
  const run = async (...words: string[]) => good(await holdfast(store, words));
  const json = async (...words: string[]) => JSON.parse(await run(...words, "--json"));
  const id = "[0-9a-hjkmnp-tv-z]{12}";
  assertMatch(await run("add", "--agent-id", "a", FACT), new RegExp(`^Memory stored for agent "a" \\(id ${id}\\)\\.$`));
  const again = await json("add", "--agent-id", "a", "--text", FACT, "--confidence", "verified");
  assertEquals({ ...again, fact_id: "" }, { agent_id: "a", stored: true, fact_id: "", duplicate: true });
  await run(
    "add",
    "--agent-id=__shared__",
    "--session-id",
    "s",
    "--told-at",
    "2026-01-02",
    "Every",
    "gateway",
    "has",
    "a",
    "port",
  );
  assertMatch(
    await run("search", "--agent-id", "a", "gateway", "port", "--top-k", "1"),
    /^Found 1 relevant memories for agent "a":\n\n1\. /,
  );
  const messages = JSON.stringify([{ role: "user", content: "go on" }]);
  const saved = await json(
    "checkpoint",
    "save",
    "--agent-id",
    "a",
    "--state",
    '{"step":3}',
    "--messages",
    messages,
    "--label",
    "half way",
  );
  assertEquals(Object.keys(saved), ["agent_id", "checkpoint_id", "created_at"]);
  assertStringIncludes(
    await run("checkpoint", "resume", "--agent-id", "a"),
    `Checkpoint "${saved.checkpoint_id}" restored for agent "a".\nCreated: `,
  );
  await withServer({ store }, async (server) => {
    const same: readonly (readonly [string, string[], object])[] = [
      ["memory_search", ["search", "--agent-id", "a", "gateway port"], { query: "gateway port" }],
      ["memory_search", ["search", "--agent-id", "a", "--query", "gateway port", "--no-include-shared", "--explain"], {
        query: "gateway port",
        include_shared: false,
        explain: true,
      }],
      ["memory_search", ["search", "--agent-id", "a", "gateway", "--since", "2026-01-03", "--until", "2026-01-04"], {
        query: "gateway",
        since: "2026-01-03",
        until: "2026-01-04",
      }],
      ["checkpoint_resume", ["checkpoint", "resume", "--agent-id", "a", "--include-messages"], {
        include_messages: true,
      }],
      ["checkpoint_resume", ["checkpoint", "resume", "--agent-id", "a", "--checkpoint-id", saved.checkpoint_id], {
        checkpoint_id: saved.checkpoint_id,
      }],
    ];
    await Promise.all(same.map(async ([tool, words, args]) => {
      assertEquals(await json(...words), { ...await server.good(tool, { agent_id: "a", ...args }) }, words.join(" "));
    }));
    const none = await json("checkpoint", "resume", "--agent-id", "b", "--on-missing", "empty");
    assertEquals(none, { found: false, agent_id: "b" });
  });
  const updated = await json(
    "reflect",
    "update",
    "--agent-id",
    "a",
    "--target",
    FACT,
    "--text",
    `${FACT}, as of today`,
  );
  assertEquals(updated, { action: "update", agent: "a", ok: true, fact_id: updated.fact_id, retired: [again.fact_id] });
  assertEquals(
    await run("reflect", "--action", "pin", "--agent-id", "a", "--target", updated.fact_id),
    `Pinned ${updated.fact_id} for agent "a".`,
  );
  assertEquals(
    await run("reflect", "link", "--agent-id", "a", "--text", "gateway", "--target", "port"),
    'Linked "gateway" to "port" (related_to) for agent "a".',
  );
  assertEquals(await json("reflect", "forget", "--agent-id", "a", "--text", `${FACT}, as of today`), {
    action: "forget",
    agent: "a",
    ok: true,
    retired: [updated.fact_id],
  });
});

test("control characters of a fact are shown, not sent to the terminal", async () => {
  const store = temporaryStore();
  const wild = "red \u001b[31m bell \u0007 c1 \u009b31m flip \u202e tab\tend";
  good(await holdfast(store, ["add", "--agent-id", "a", wild]));
  const shown = good(await holdfast(store, ["search", "--agent-id", "a", "red bell flip"]));
  assertStringIncludes(shown, "red \\u001b[31m bell \\u0007 c1 \\u009b31m flip \\u202e tab\tend");
  const { facts } = JSON.parse(good(await holdfast(store, ["search", "--agent-id", "a", "red bell flip", "--json"])));
  assertEquals(facts, [wild]);
  const { stderr } = await holdfast(store, ["reflect", "forget", "--agent-id", "a", "--target", "\u001b[2J"]);
  assert(!/(?![\n\t])\p{Cc}/u.test(stderr), JSON.stringify(stderr));
});

test("a reader that takes one line is no error", async () => {
  const store = temporaryStore();
  await withServer({ store }, async (server) => {
    for (let at = 0; at < 30; at++) {
      await server.good("memory_add", { agent_id: "a", text: `Long ${at} ${"lorem ipsum ".repeat(600)}` });
    }
  });
  for (const flags of ["", "--json"]) {
    const words = `${SHELL_WORDS} search --agent-id a lorem --top-k 30 ${flags}; echo "status $?" >&2`;
    const { stdout, stderr } = await promisify(execFile)("sh", ["-c", `{ ${words}; } | head -c 10`], {
      env: surroundings({ HOLDFAST_STORE: store }),
    });
    assertEquals([stdout.length, stderr], [10, "status 0\n"]);
  }
});

test("what one process adds another one finds, from below a .holdfast folder too", async () => {
  const home = temporaryFolder();
  mkdirSync(join(home, ".holdfast"));
  mkdirSync(join(home, "src/deep"), { recursive: true });
  const at = async (cwd: string, ...words: string[]) =>
    (await promisify(execFile)(COMMAND, [...FIRST, ...words], { cwd, env: surroundings() })).stdout;
  await at(home, "add", "--agent-id", "a", FACT);
  assertStringIncludes(await at(join(home, "src/deep"), "search", "--agent-id", "a", "which port?"), FACT);
  assertEquals(readdirSync(join(home, ".holdfast")), ["holdfast.db"]);
});

test("the demo tells its tour and cleans up", async () => {
  const TMPDIR = temporaryFolder();
  const transcript = good(await holdfast(temporaryStore(), ["demo"], { TMPDIR }));
  const calls = [...transcript.matchAll(/^→ (\w+)/gm)].map(([, name]) => name);
  assertEquals(calls, [
    ...Array.from({ length: 3 }, () => "memory_add"),
    "memory_search",
    "memory_reflect",
    "memory_search",
    "checkpoint_save",
    "checkpoint_resume",
    "memory_reflect",
    "memory_search",
  ]);
  assertMatch(transcript, /1\. The staging database listens on port 6543, behind the pooler \(id/);
  assert(!(transcript.split("→ ").at(-1) ?? "").includes("6543"), "found what was forgotten");
  assertEquals(readdirSync(TMPDIR), []);
});

test("the demo, stopped in the middle, leaves no temporary folder", async () => {
  const TMPDIR = temporaryFolder();
  const child = spawn(COMMAND, [...FIRST, "demo"], { env: surroundings({ TMPDIR }) });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  child.stdout.resume();
  child.kill("SIGINT");
  await new Promise((resolve) => child.on("close", resolve));
  assertEquals(readdirSync(TMPDIR), []);
});

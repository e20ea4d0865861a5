// Memory as a person reads it in a shell: list, show, history, undo, status, each for the folder's own agent.
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { type Home, newHome } from "../support/home.ts";

async function good(at: Home, ...words: string[]): Promise<string> {
  const { status, stdout, stderr } = await at.run(words);
  assertEquals([status, stderr], [0, ""], words.join(" "));
  return stdout;
}

async function told(): Promise<Home & { readonly ids: readonly string[] }> {
  const at = newHome();
  const ids: string[] = [];
  for (const text of ["The gateway listens on port 7410", "Deploys need two approvals", "Dates are\nyear first"]) {
    ids.push(JSON.parse(await good(at, "add", text, "--json")).fact_id);
  }
  return { ...at, ids };
}

test("without --agent-id the tools speak for the folder's project, as hooks do", async () => {
  const at = await told();
  assertEquals(JSON.parse(await good(at, "search", "gateway port", "--json")).agent_id, "my-app");
  await good(at, "checkpoint", "save", "--state", '{"next":"tests"}');
  assertMatch(await good(at, "checkpoint", "resume"), /restored for agent "my-app"/);
  await good(at, "reflect", "pin", "--target", at.ids[0] ?? "");
  assertMatch(await good(at, "list", "--pinned"), /^1 of 1 facts of agent "my-app":\n\n- The gateway .*pinned\)\n$/);
});

test("list: newest first, paged, with filters, and what was retired and why", async () => {
  const at = await told();
  const day = "\\d{4}-\\d\\d-\\d\\d";
  assertMatch(
    await good(at, "list"),
    new RegExp(`^3 of 3 facts of agent "my-app":\n\n- Dates are\n {2}year first \\(id \\w{12}, ${day}\\)\n- Deploys`),
  );
  const page = JSON.parse(await good(at, "list", "--limit", "1", "--offset", "1", "--json"));
  assertEquals([page.total, page.offset, page.facts.map(({ text }: { text: string }) => text)], [3, 1, [
    "Deploys need two approvals",
  ]]);
  assertMatch(await good(at, "list", "--limit", "1"), /\nMore: --offset 1\n$/);
  await good(at, "reflect", "forget", "--target", at.ids[1] ?? "");
  await good(at, "reflect", "update", "--target", at.ids[0] ?? "", "--text", "The gateway listens on port 7411");
  const all = await good(at, "list", "--retired");
  assertMatch(all, new RegExp(`^- Deploys .*, until ${day}, forgotten\\)$`, "m"));
  assertMatch(all, new RegExp(`^- The gateway .* 7410 .*, until ${day}, replaced by \\w{12}\\)$`, "m"));
  assertMatch(await good(at, "list", "--holding", "7411", "--since", "2020-01-01"), /^1 of 1/);
  await good(at, "add", "--agent-id", "other", "Theirs");
  assertMatch(await good(at, "list", "--all", "--limit", "1"), /^1 of 3 facts of every agent:\n\n- Theirs \(other, id/);
});

test("show, history and undo", async () => {
  const at = await told();
  const [first = ""] = at.ids;
  const updated = JSON.parse(
    await good(at, "reflect", "update", "--target", first, "--text", "The gateway listens on port 7411", "--json"),
  ).fact_id;
  assertMatch(
    await good(at, "show", first),
    new RegExp(`^The gateway .* 7410\n\nid +${first}\nagent +my-app\n[^]*replaced by ${updated}\n`),
  );
  assertMatch(await good(at, "history", updated), /^- The gateway .* 7410 .*\n- The gateway .* 7411 .*\n$/);
  assertEquals(JSON.parse(await good(at, "history", first, "--json")).facts.length, 2);
  assertMatch(
    await good(at, "undo"),
    new RegExp(`^Held again for agent "my-app" \\(id \\w{12}, in place of ${updated}\\): The gateway .* 7410\n$`),
  );
  assertMatch(await good(at, "list", "--holding", "gateway"), /^1 of 1[^]*7410/);
});

test("status: one screen, and nothing made by looking", async () => {
  const empty = newHome();
  assertMatch(await good(empty, "status"), /\nNothing is remembered yet: /);
  assert(!existsSync(join(empty.home, ".local")));
  const at = await told();
  const words = ["hook", "session-start", "--host", "claude-code"];
  for (let tries = 0; tries < 10 && (await at.run(words)).stdout === ""; tries++);
  const screen = await good(at, "status");
  assertMatch(screen, /^Holdfast \S+, store \/.*holdfast\.db \(\d+\.\d MB\), embedder words\n\nagent +facts +retired/);
  assertMatch(screen, /^my-app +3 +0 +0 +\d{4}-/m);
  assertMatch(screen, /^Facts told in 30 days {2} +█ {2}3$/m);
  assertMatch(screen, /^Recalled by hooks {6} +█ {2}1$/m);
  assertMatch(screen, /^Hooks in 30 days: 1 runs, \d+ ms in the middle, about \d+ tokens given; .* about \d+\.$/m);
  assert(screen.split("\n").length < 24);
  const { facts, agents, growth, hooks } = JSON.parse(await good(at, "status", "--json"));
  assertEquals([facts, agents.length, growth.length, growth.at(-1), hooks.runs, hooks.recalls.at(-1)], [
    3,
    1,
    30,
    3,
    1,
    1,
  ]);
});

test("what is wrong: a sentence and what to try", async () => {
  const at = newHome();
  mkdirSync(join(at.home, ".local"));
  const rows: readonly (readonly [words: string[], status: number, sentence: string])[] = [
    [["list", "--limit", "x"], 2, 'Cannot use "x" as --limit: it is a whole number'],
    [["list", "--since", "soon"], 2, 'Cannot use "soon" as --since: it is a time or a date such as 2026-12-01'],
    [
      ["list", "--confidence", "sure"],
      2,
      'Cannot use "sure" as --confidence: it is one of verified, inferred, unverified',
    ],
    [["show"], 2, "The fact's id must be given"],
    [["show", "zzz"], 3, 'No fact has the id "zzz"'],
    [["history", "zzz"], 3, 'No fact has the id "zzz"'],
    [["undo"], 3, 'Nothing to take back for agent "my-app"'],
  ];
  for (const [words, status, sentence] of rows) {
    const ran = await at.run(words);
    assertEquals([ran.status, ran.stdout, ran.stderr.split("\n")[0]], [status, "", `holdfast: ${sentence}`]);
    assertMatch(ran.stderr, /\nTry: [^\n]+\n$/);
  }
});

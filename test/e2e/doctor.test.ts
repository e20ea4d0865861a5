// `holdfast doctor` on machines with something wrong: it is found, told with what to do, and mended where asked.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import Libsql from "libsql";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { type Home, newHome } from "../support/home.ts";

interface Report {
  readonly problems: number;
  readonly findings: readonly {
    readonly check: string;
    readonly status: string;
    readonly message: string;
    readonly fixable: boolean;
  }[];
}

const store = ({ home }: Home) => join(home, ".local/share/holdfast/holdfast.db");

async function report(at: Home, ...words: string[]): Promise<Report & { readonly exit: number | null }> {
  const { status, stdout, stderr } = await at.run(["doctor", "--json", ...words]);
  assertEquals(stderr, "");
  return { ...JSON.parse(stdout), exit: status };
}

const problems = ({ findings }: Report) =>
  findings.filter(({ status }) => status === "problem").map(({ message }) => message);

/** A home with Claude Code set up and one fact told. */
async function settled(): Promise<Home> {
  const at = newHome();
  assertEquals((await at.run(["init", "--yes", "--host", "claude-code", "--no-hooks"])).status, 0);
  assertEquals((await at.run(["add", "--agent-id", "my-app", "The gateway listens on port 7410"])).status, 0);
  return at;
}

test("a new machine: what is missing, then all of it in place, its command answering", async () => {
  const at = newHome();
  mkdirSync(join(at.home, ".claude"));
  const before = await report(at);
  assertEquals(before.exit, 1);
  assertEquals(problems(before).map((message) => message.replace(at.home, "~")), [
    "Claude Code, server: Holdfast is not in ~/.claude.json",
    "Claude Code, hooks: not in ~/.claude/settings.json",
    "Claude Code, instructions: not in ~/.claude/CLAUDE.md",
  ]);
  await at.run(["add", "--agent-id", "my-app", "The gateway listens on port 7410"]);
  const after = await report(at, "--fix");
  const told = after.findings.map(({ message }) => message).join("\n");
  assertMatch(told, /^Claude Code: its command answers with 5 tools in \d+ ms$/m);
  assertEquals(problems(after).filter((message) => !/its hook/.test(message)), [], "a busy machine may slow a hook");
});

test("no host at all, and a person's view of it", async () => {
  const { run } = newHome();
  const { status, stdout } = await run(["doctor"]);
  assertEquals(status, 1);
  assertMatch(stdout, /^✓ Holdfast \S+ on node \S+\n· No `holdfast` on the PATH/);
  assertMatch(stdout, /\n· There is no store yet/);
  assertMatch(
    stdout,
    /\n✗ No program that runs agents was found\n {2}Try: holdfast init --host ID\n\nOne thing to do\.\n$/,
  );
});

test("an entry whose command is gone, and one whose command is no server", async () => {
  const at = await settled();
  const file = join(at.home, ".claude.json");
  const written = readFileSync(file, "utf8");
  const change = (command: string, args: readonly string[]) => {
    const settings = JSON.parse(written);
    Object.assign(settings.mcpServers.holdfast, { command, args });
    writeFileSync(file, JSON.stringify(settings));
  };
  change("/nowhere/holdfast", []);
  assertMatch(
    problems(await report(at, "--host", "claude-code")).join("\n"),
    /^Claude Code: its command is gone \(\/nowhere\/holdfast\)$/m,
  );
  change("/bin/echo", ["mcp"]);
  assertMatch(
    problems(await report(at, "--host", "claude-code")).join("\n"),
    /^Claude Code: its command does not answer \(/m,
  );
  await report(at, "--fix", "--host", "claude-code");
  assertEquals(JSON.parse(readFileSync(file, "utf8")), JSON.parse(written));
});

test("older instructions, and a file that cannot be read", async () => {
  const at = await settled();
  const file = join(at.home, ".claude", "CLAUDE.md");
  writeFileSync(file, readFileSync(file, "utf8").replace("begin v1", "begin v0").replace("## Memory", "## Old"));
  writeFileSync(join(at.home, ".claude", "settings.json"), "{ broken");
  const found = problems(await report(at, "--fix", "--host", "claude-code"));
  assertEquals(found.map((message) => message.replace(at.home, "~")), [
    "Claude Code, hooks: ~/.claude/settings.json cannot be read",
  ]);
  assertMatch(readFileSync(file, "utf8"), /begin v1[^]*## Memory/);
  assertEquals(readFileSync(join(at.home, ".claude", "settings.json"), "utf8"), "{ broken");
});

test("an index out of step is made anew", async () => {
  const at = await settled();
  const db = new Libsql(store(at));
  db.exec("DELETE FROM fts");
  db.close();
  assertMatch(problems(await report(at)).join("\n"), /^Its index is out of step with the facts of "my-app"$/m);
  const after = await report(at, "--fix");
  assert(!problems(after).some((message) => /index/.test(message)));
  assertMatch((await at.run(["search", "--agent-id", "my-app", "gateway port"])).stdout, /7410/);
});

test("a store that is none", async () => {
  const at = newHome();
  mkdirSync(join(at.home, ".local/share/holdfast"), { recursive: true });
  writeFileSync(store(at), "not a database, but somebody's notes");
  const { exit, findings } = await report(at);
  assertEquals(exit, 1);
  assert(findings.some(({ check, status }) => check === "store" && status === "problem"));
  assertEquals(readFileSync(store(at), "utf8"), "not a database, but somebody's notes");
});

test("credentials in stored facts, nearly equal names, and long silence", async () => {
  const at = await settled();
  const token = ["ghp", "_", "aB3dE6gH9jK2mN5pQ8rSaB3dE6gH9jK2mN5p"].join("");
  await at.run(["add", "--agent-id", "My_App", "--secrets", "allow", `The bot uses ${token}`]);
  const found = problems(await report(at)).join("\n");
  assertMatch(found, /^Fact \w{12} of "My_App" holds what looks like a credential \(GitHub token\)$/m);
  assertMatch(found, /^Agents "\S+" \(1 facts\) and "\S+" \(1\) may be one$/m);
  assert(!found.includes(token));
  assert(!/credential/.test(problems(await report(at, "--fix")).join("\n")));
  const search = await at.run([
    "search",
    "--agent-id",
    "My_App",
    "--secrets",
    "allow",
    "which token does the bot use?",
  ]);
  assertMatch(search.stdout, /The bot uses \[GitHub token removed\]/);
  const db = new Libsql(store(at));
  db.exec("UPDATE facts SET created_at = 1");
  db.close();
  assertMatch(problems(await report(at)).join("\n"), /^Nothing was remembered in \d{4,} days$/m);
});

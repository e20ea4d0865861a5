// `holdfast init` and `uninstall` as a new user runs them: real processes in a home of their own.
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { put } from "../support/hosts.ts";
import { newHome } from "../support/home.ts";

const files = (home: string) =>
  Object.fromEntries(
    readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile() && !join(one.parentPath).includes(join(".local", "share")))
      .map((one) => [join(one.parentPath, one.name), readFileSync(join(one.parentPath, one.name), "utf8")]),
  );

test("init finds the hosts, writes, tells what to do next; again changes nothing; uninstall leaves no byte", async () => {
  const { home, run } = newHome();
  put(join(home, ".cursor", "mcp.json"), '{\n  // mine\n  "mcpServers": {}\n}\n');
  mkdirSync(join(home, ".claude"));
  const before = files(home);
  const made = await run(["init", "--yes"]);
  assertEquals([made.status, made.stderr], [0, ""]);
  assertMatch(made.stdout, /^Found Claude Code, Cursor\.\n/);
  assertMatch(made.stdout, /^\+ {4}"holdfast": \{$/m);
  assertMatch(made.stdout, /Claude Code: Leave Claude Code and start it again/);
  assertMatch(made.stdout, /What do you remember about this project\?"\n$/);
  const after = files(home);
  const again = await run(["init", "--yes"]);
  assertMatch(again.stdout, /Everything is in place already/);
  assertEquals(files(home), after);
  assertEquals((await run(["uninstall", "--yes"])).status, 0);
  assertEquals(files(home), before);
  assertMatch((await run(["uninstall", "--yes"])).stdout, /^Nothing of Holdfast/);
});

test("the command that init writes is a server that answers, from any folder and without this environment", async () => {
  const { home, run } = newHome();
  assertEquals((await run(["init", "--yes", "--host", "cursor"])).status, 0);
  const { command, args } = JSON.parse(readFileSync(join(home, ".cursor", "mcp.json"), "utf8")).mcpServers.holdfast;
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StdioClientTransport({ command, args, cwd: "/", env: { HOME: home } }));
  assertEquals((await client.listTools()).tools.length, 5);
  await client.close();
});

test("a store that only this shell knows is named in what is written", async () => {
  const { home, run } = newHome();
  const store = join(home, "elsewhere.db");
  const env = { HOLDFAST_STORE: store, HOLDFAST_EMBEDDER: "none", HOLDFAST_EMBEDDER_KEY: "sk-not-for-files" };
  assertEquals((await run(["init", "--yes", "--host", "claude-code"], env)).status, 0);
  const { args, env: written } = JSON.parse(readFileSync(join(home, ".claude.json"), "utf8")).mcpServers.holdfast;
  assertEquals([args.slice(-2), written], [["--store", store], { HOLDFAST_EMBEDDER: "none" }]);
  const hooks = readFileSync(join(home, ".claude", "settings.json"), "utf8");
  assertStringIncludes(hooks, `hook prompt --host claude-code --store ${store}`);
});

test("--scope project writes into the project, with its agent's name", async () => {
  const { home, run } = newHome();
  assertEquals((await run(["init", "--yes", "--host", "claude-code,codex", "--scope", "project"])).status, 0);
  const names = Object.keys(files(home)).map((path) => path.slice(home.length + 1)).sort();
  assertEquals(names, [
    "my-app/.claude/settings.local.json",
    "my-app/.codex/config.toml",
    "my-app/.codex/hooks.json",
    "my-app/.mcp.json",
    "my-app/AGENTS.md",
    "my-app/CLAUDE.md",
  ]);
  assertStringIncludes(readFileSync(join(home, "my-app", "CLAUDE.md"), "utf8"), "`agent_id` is `my-app`");
  assertEquals((await run(["uninstall", "--yes"])).status, 0);
  assertEquals(files(home), {});
  assertEquals(readdirSync(join(home, "my-app")), []);
});

test("a colleague's folder in the project is a host of the project, not of this machine", async () => {
  const { home, run } = newHome();
  mkdirSync(join(home, "my-app", ".cursor"));
  assertEquals((await run(["init", "--yes"])).status, 3);
  assertMatch((await run(["init", "--yes", "--scope", "project"])).stdout, /^Found Cursor\.\n/);
  assert(!existsSync(join(home, ".cursor")));
});

test("--dry-run, --print and --json without --yes write nothing", async () => {
  const { home, run } = newHome();
  mkdirSync(join(home, ".cursor"));
  const shown = await run(["init", "--dry-run"]);
  assertEquals(shown.status, 0);
  assertMatch(shown.stdout, /\+\+\+ .*mcp\.json[^]*Nothing was written\.\n$/);
  const printed = await run(["init", "--print", "--host", "codex"]);
  assertMatch(printed.stdout, /^Codex, server: .*config\.toml\n\n\[mcp_servers\.holdfast\]\ncommand = "\//);
  const asked = await run(["init"]);
  assertEquals(asked.status, 2);
  assertMatch(asked.stderr, /^holdfast: Cannot ask before writing: this is no terminal\nTry: --yes/);
  assertEquals((await run(["init", "--json"])).status, 2);
  const json = JSON.parse((await run(["init", "--dry-run", "--json"])).stdout);
  assertEquals([json.agent_id, json.hosts, json.written], ["my-app", ["cursor"], false]);
  assertEquals(json.changes.map(({ change }: { change: string }) => change), ["create", "create"]);
  assertEquals(files(home), {});
  assertEquals(existsSync(join(home, ".local")), false);
});

test("a broken file is left alone, the others are written, and the exit status tells", async () => {
  const { home, run } = newHome();
  const broken = put(join(home, ".cursor", "mcp.json"), '{\n  "a": 1,\n  "b" 2\n}\n');
  const made = await run(["init", "--yes", "--host", "cursor,windsurf"]);
  assertEquals(made.status, 4);
  assertMatch(
    made.stdout,
    /mcp\.json is left alone: it cannot be read: line 3, column 7: colon expected\nPaste this into it for cursor:\n\n\{/,
  );
  assert(existsSync(join(home, ".codeium", "windsurf", "mcp_config.json")));
  assertEquals(readFileSync(broken, "utf8"), '{\n  "a": 1,\n  "b" 2\n}\n');
});

test("no host, an unknown host, a host without such a file: a sentence and what to do", async () => {
  const { run } = newHome();
  const said = async (...words: string[]) => {
    const { status, stderr } = await run(["init", "--yes", ...words]);
    return [status, stderr.split("\n")[0]];
  };
  assertEquals(await said(), [3, "holdfast: No program that runs agents was found on this machine"]);
  assertEquals(await said("--host", "emacs"), [2, 'holdfast: Unknown host "emacs"']);
  assertEquals(await said("--scope", "world"), [2, 'holdfast: Cannot use "world" as --scope: it is user or project']);
  assertEquals(await said("--host", "windsurf", "--scope", "project"), [
    3,
    "holdfast: Cannot set up Windsurf for one project: it has no such file",
  ]);
});

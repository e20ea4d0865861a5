// `holdfast plugin`: a folder that Claude Code can install, whose server answers.
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { newHome } from "../support/home.ts";

test("plugin writes manifest, marketplace, server, hooks, skill and slash commands; again is no harm", async () => {
  const { home, run } = newHome();
  const folder = join(home, "plugin");
  const { status, stdout } = await run(["plugin", folder]);
  assertEquals(status, 0);
  assertMatch(stdout, /\/plugin install holdfast@holdfast\n$/);
  assertEquals((await run(["plugin", folder])).status, 0);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  assertEquals(files.map((one) => join(one.parentPath, one.name).slice(folder.length + 1)).sort(), [
    ".claude-plugin/marketplace.json",
    ".claude-plugin/plugin.json",
    ".mcp.json",
    "commands/checkpoint.md",
    "commands/recall.md",
    "hooks/hooks.json",
    "skills/memory/SKILL.md",
  ]);
  const text = (path: string) => readFileSync(join(folder, path), "utf8");
  const json = (path: string) => JSON.parse(text(path));
  assertEquals(json(".claude-plugin/marketplace.json").plugins[0].name, json(".claude-plugin/plugin.json").name);
  assertEquals(Object.keys(json("hooks/hooks.json").hooks), [
    "SessionStart",
    "UserPromptSubmit",
    "PreCompact",
    "SessionEnd",
  ]);
  assertMatch(text("commands/recall.md"), /^---\ndescription: [^\n]+\n---\n\n[^]*memory_search for "\$ARGUMENTS"/);
  assertMatch(
    text("skills/memory/SKILL.md"),
    /^---\nname: memory\ndescription: [^\n]{20,1024}\n---\n\n## Memory\n[^]*`checkpoint_save`/,
  );
  assert(!text("skills/memory/SKILL.md").includes("holdfast:"));
  const { command, args } = json(".mcp.json").mcpServers.holdfast;
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StdioClientTransport({ command, args, env: { HOME: home }, cwd: "/" }));
  assertEquals((await client.listTools()).tools.length, 5);
  await client.close();
});

test("plugin leaves a folder that is none alone", async () => {
  const { home, run } = newHome();
  mkdirSync(join(home, "mine"));
  const { status, stderr } = await run(["plugin", join(home, "mine")]);
  assertEquals([status, readdirSync(join(home, "mine"))], [4, []]);
  assertMatch(stderr, /^holdfast: Cannot write the plugin: the folder is there and is no plugin\n/);
  assertEquals((await run(["plugin"])).status, 2);
});

// A Claude Code plugin: the server, the hooks, a skill and slash commands as one folder that can be installed and removed.
import { VERSION } from "../core/version.ts";
import { type HookEvent, HOSTS } from "./hosts.ts";
import { skill } from "./instructions.ts";
import { hookCommand, hookEntry, SERVER, serverEntry, type Start } from "./shapes.ts";

const DESCRIPTION = "Memory that outlives a session: facts, checkpoints and search on your machine";

/** A slash command: its name, what it is for, and what the model is told. */
export interface SlashCommand {
  readonly name: string;
  readonly description: string;
  readonly text: string;
}

/** Path below the plugin's folder → text. */
export function pluginFiles(start: Start, commands: readonly SlashCommand[]): ReadonlyMap<string, string> {
  const host = HOSTS.find(({ id }) => id === "claude-code");
  if (!host?.hooks) throw new Error("Claude Code has no row with hooks");
  const { shape, events } = host.hooks;
  const hooks = Object.entries(events).map(([event, name]) =>
    [name, [hookEntry(shape, hookCommand(start, event as HookEvent, host.id))]] as const // the row's own keys
  );
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  return new Map([
    [".claude-plugin/plugin.json", json({ name: SERVER, version: VERSION, description: DESCRIPTION, license: "MIT" })],
    [
      ".claude-plugin/marketplace.json",
      json({
        name: SERVER,
        owner: { name: "Holdfast" },
        plugins: [{ name: SERVER, source: "./", description: DESCRIPTION }],
      }),
    ],
    [".mcp.json", json({ mcpServers: { [SERVER]: serverEntry(host.shape, start) } })],
    ["hooks/hooks.json", json({ hooks: Object.fromEntries(hooks) })],
    ["skills/memory/SKILL.md", skill()],
    ...commands.map(({ name, description, text }) =>
      [`commands/${name}.md`, `---\ndescription: ${description}\n---\n\n${text}\n`] as const
    ),
  ]);
}

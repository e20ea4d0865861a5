// `holdfast plugin`: a Claude Code plugin in a folder of the user's choice.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { MemoryError } from "../core/errors.ts";
import { pluginFiles } from "../hosts/plugin.ts";
import { promptText } from "../mcp/prompts.ts";
import type { Input } from "./command.ts";
import { machine } from "./machine.ts";
import { print } from "./output.ts";

/** What Claude Code puts in the place of what a person writes after a command. */
const WRITTEN = "$ARGUMENTS";

export function plugin(input: Input): Promise<number> {
  const [given] = input.positionals;
  if (given === undefined) {
    throw new MemoryError("invalid_argument", "The plugin's folder must be given", {
      hint: "holdfast plugin ~/holdfast-plugin",
    });
  }
  const folder = resolve(given);
  const commands = ["recall", "checkpoint"].map((name) => ({ name, ...promptText(name, WRITTEN) }));
  const files = pluginFiles(machine(input).start, commands);
  if (existsSync(folder) && !existsSync(join(folder, ".claude-plugin", "plugin.json"))) {
    throw new MemoryError("conflict", "Cannot write the plugin: the folder is there and is no plugin", {
      hint: "Name a new folder",
    });
  }
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  print([
    ...[...files.keys()].map((path) => join(folder, path)),
    "",
    "In Claude Code, instead of what `holdfast init` writes for it:",
    `  /plugin marketplace add ${folder}`,
    "  /plugin install holdfast@holdfast",
  ].join("\n"));
  return Promise.resolve(0);
}

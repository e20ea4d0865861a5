// The table of commands. One that loads more than others is reached by a lazy import.
import type { Command } from "./command.ts";
import { completions } from "./completions.ts";
import { copy } from "./copy.ts";
import { HOST_COMMANDS } from "./host_commands.ts";
import { man } from "./man.ts";
import { READ_COMMANDS } from "./read_commands.ts";
import { SERVER_COMMANDS } from "./server_commands.ts";
import { TOOL_COMMANDS } from "./tool_commands.ts";
import { upgrade } from "./upgrade.ts";

const demo: Command = {
  name: "demo",
  summary: "Show what an agent's memory does, in a temporary store",
  flags: {},
  run: async (input) => (await import("./demo.ts")).demo.run(input),
};

export const COMMANDS: readonly Command[] = [
  ...HOST_COMMANDS,
  ...SERVER_COMMANDS,
  demo,
  ...TOOL_COMMANDS,
  ...READ_COMMANDS,
  copy,
  completions(() => COMMANDS),
  man(() => COMMANDS),
  upgrade,
];

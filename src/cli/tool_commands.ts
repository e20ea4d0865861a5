// The five tools from the shell: flags from their printed schemas, results as the tools give them.
import { CODES, MemoryError } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import { agentIn } from "../core/agent.ts";
import { readConfig } from "../core/config.ts";
import type { callTool } from "../tool.ts";
import TOOL_LIST from "../tools.json" with { type: "json" };
import { type Command, type Flag, type Flags, type Input, settingsIn, STORE_FLAGS } from "./command.ts";
import { print, printError, printJson } from "./output.ts";

/** Command words, the tool they call, and the argument that may stand without its flag. */
const ROWS = [
  { name: "search", tool: "memory_search", positional: "query" },
  { name: "add", tool: "memory_add", positional: "text" },
  { name: "reflect", tool: "memory_reflect", positional: "action" },
  { name: "checkpoint save", tool: "checkpoint_save", positional: undefined },
  { name: "checkpoint resume", tool: "checkpoint_resume", positional: undefined },
] as const;

interface Property {
  readonly type: string;
  readonly description: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
}

export const TOOL_COMMANDS: readonly Command[] = ROWS.map(({ name, tool, positional }) => {
  const listed = TOOL_LIST.find((one) => one.name === tool);
  if (!listed) throw new Error(`src/tools.json lacks ${tool}`);
  const properties = listed.inputSchema.properties as Readonly<Record<string, Property>>; // printed by scripts/generate.ts
  const flags: Flags = {
    ...Object.fromEntries(Object.entries(properties).map(([key, property]) => [flagOf(key), toFlag(property)])),
    json: { type: "boolean", summary: "Print the structured result" },
    ...STORE_FLAGS,
  };
  return {
    name,
    summary: listed.title,
    ...(positional === undefined ? {} : { positionals: positional.toUpperCase() }),
    flags,
    run: (input) => run(tool, withAgent(argumentsOf(input, Object.keys(properties), positional)), input),
  };
});

async function run(name: string, args: Readonly<Record<string, unknown>>, { flags }: Input): Promise<number> {
  const config = readConfig(settingsIn(flags));
  const [{ TOOLS }, { callTool }, { openShared }] = await Promise.all([
    import("../tools.ts"),
    import("../tool.ts"),
    import("./shared.ts"),
  ]);
  const tool = TOOLS.find((one) => one.name === name);
  const schema = TOOL_LIST.find((one) => one.name === name)?.inputSchema;
  if (!tool || !schema) throw new Error(`No tool ${name}`);
  const opened = openShared(config);
  const outcome = await callTool({
    tool,
    schema,
    args,
    caller: { sessionId: `shell-${newId()}` },
    memory: () => opened,
  });
  const status = show(name, outcome, flags["json"] === true);
  await opened.then((memory) => memory.close(), () => {});
  return status;
}

/** Before the memory is closed: that may wait a moment for vectors under way. */
function show(name: string, outcome: Awaited<ReturnType<typeof callTool>>, json: boolean): number {
  if ("fault" in outcome) {
    const [message = ""] = outcome.text.split("\n");
    const hint = outcome.fault.hint ?? HINTS[outcome.fault.code] ?? helpHint(name);
    printError({ message, hint });
    return CODES[outcome.fault.code].exit;
  }
  if (json) printJson(outcome.answer.structured);
  else print(outcome.answer.text);
  return 0;
}

const HINTS: Readonly<Record<string, string>> = { no_checkpoint: "holdfast checkpoint save" };

function helpHint(tool: string): string {
  return `holdfast ${ROWS.find((row) => row.tool === tool)?.name ?? ""} --help`;
}

/** @throws MemoryError invalid_argument when more stands without a flag than the command takes. */
function argumentsOf(
  { flags, positionals }: Input,
  keys: readonly string[],
  positional: string | undefined,
): Record<string, unknown> {
  const given = keys.filter((key) => flags[flagOf(key)] !== undefined).map((key) => [key, flags[flagOf(key)]] as const);
  const args: Record<string, unknown> = Object.fromEntries(given);
  if (positional === undefined || positionals.length === 0) return args;
  if (Object.hasOwn(args, positional)) {
    throw new MemoryError(
      "invalid_argument",
      `${positional} is given twice: as --${flagOf(positional)} and without a flag`,
    );
  }
  return { ...args, [positional]: positionals.join(" ") };
}

/** Without a name it is the agent of the folder's project. */
function withAgent(args: Record<string, unknown>): Record<string, unknown> {
  if ("agent_id" in args || "agent" in args) return args;
  return { agent_id: agentIn().agentId, ...args };
}

function flagOf(key: string): string {
  return key.replaceAll("_", "-");
}

function toFlag({ type, description, enum: values, default: fallback }: Property): Flag {
  const summary = fallback === undefined || type === "boolean"
    ? description
    : `${description} (default ${String(fallback)})`;
  if (type === "boolean") return { type: "boolean", summary };
  return {
    type: "string",
    summary,
    value: values?.join("|") ?? (type === "object" || type === "array" ? "JSON" : type === "integer" ? "N" : "TEXT"),
  };
}

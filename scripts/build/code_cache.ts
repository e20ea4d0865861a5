// The compiled code of what is done most: a short conversation, the hooks, a search; a start need not compile it again.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { buildSync } from "esbuild";
import { ROOT } from "./bundle.ts";

const CALLS = [
  ["memory_add", { text: "The staging database listens on port 5432", confidence: "verified" }],
  ["memory_search", { query: "which port does staging use?" }],
  ["checkpoint_save", { state: { goal: "warm" } }],
  ["checkpoint_resume", { on_missing: "empty" }],
] as const;
const MESSAGES = [
  {
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "warm", version: "1" } },
  },
  { method: "notifications/initialized" },
  { id: 1, method: "tools/list" },
  ...CALLS.map(([name, args], at) => ({
    id: at + 2,
    method: "tools/call",
    params: { name, arguments: { agent_id: "home", ...args } },
  })),
];

export interface Warming {
  /** The words that start the target's Node. */
  readonly run: readonly string[];
  /** Where the pieces are, and a node_modules with the target's driver. */
  readonly folder: string;
  /** Where the bundle is. */
  readonly dist: string;
}

/** Leaves `NAME.cache` beside each piece that was needed. */
export function warmUp({ run, folder, dist }: Warming): void {
  const warm = join(folder, "warm.cjs");
  buildSync({
    absWorkingDir: ROOT,
    entryPoints: ["scripts/build/warm.ts"],
    outfile: warm,
    platform: "node",
    format: "cjs",
    bundle: true,
  });
  const home = join(folder, "home");
  mkdirSync(home);
  const once = (args: readonly string[], input: string): string => {
    const [command = "", ...words] = run;
    const { status, stdout, stderr } = spawnSync(
      command,
      [...words, warm, folder, join(dist, "holdfast.cjs"), ...args],
      {
        input,
        encoding: "utf8",
        cwd: home,
        env: { PATH: process.env["PATH"], HOME: home, NODE_PATH: join(folder, "node_modules") },
      },
    );
    if (status !== 0) throw new Error(`The warm-up failed: ${stderr.slice(0, 2000)}`);
    return stdout;
  };
  const told = once(["mcp"], MESSAGES.map((message) => JSON.stringify({ jsonrpc: "2.0", ...message })).join("\n"));
  const answered = told.split("\n").filter((line) => line.includes('"result"') && !line.includes('"isError":true'));
  if (answered.length !== MESSAGES.length - 1) throw new Error("The warm-up failed: not every message was answered");
  for (const event of ["session-start", "prompt", "pre-compact"]) {
    const input = JSON.stringify({ session_id: "warm", cwd: home, prompt: "Which port does staging use?" });
    once(["hook", event, "--host", "claude-code"], input);
  }
  for (const words of [["--help"], ["search", "Which port does staging use?"]]) once(words, "");
}

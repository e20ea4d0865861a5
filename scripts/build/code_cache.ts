// The compiled code of one short conversation, so that a start need not compile it again.
import { spawnSync } from "node:child_process";
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
    params: { name, arguments: { agent_id: "warm", ...args } },
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

/** Leaves `NAME.cache` beside each piece that the conversation needed. */
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
  const input = MESSAGES.map((message) => JSON.stringify({ jsonrpc: "2.0", ...message })).join("\n");
  const [command = "", ...words] = run;
  const args = [warm, folder, join(dist, "holdfast.cjs"), "mcp", "--store", join(folder, "warm.db")];
  const { status, stdout, stderr } = spawnSync(command, [...words, ...args], {
    input,
    encoding: "utf8",
    env: { ...process.env, NODE_PATH: join(folder, "node_modules") },
  });
  const answered = stdout.split("\n").filter((line) => line.includes('"result"') && !line.includes('"isError":true'));
  if (status !== 0 || answered.length !== MESSAGES.length - 1) {
    throw new Error(`The warm-up failed: ${stderr.slice(0, 2000)}`);
  }
}

// What a start costs, in CPU of all threads beside a bare start of the same Node: node scripts/bench/start.ts [--record]
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { nodeOf } from "../build/executable.ts";
import { hostTarget } from "../build/targets.ts";
import { quantile, report } from "./support/report.ts";

const ROUNDS = 15;
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const INITIALIZE = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } };
const FACT = { agent_id: "bench", text: "The staging database listens on port 5432" };

const node = nodeOf(hostTarget());
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  "node src/main.ts": [node, join(ROOT, "src/main.ts")],
  "node dist/holdfast.cjs": [node, join(ROOT, "dist/holdfast.cjs")],
  "dist/holdfast": [join(ROOT, "dist/holdfast")],
};
/** Measured once more beside a daemon that has the store. */
const ATTACHED = "dist/holdfast";
const MEASURES = ["--version", "initialize", "first tool call", "RSS MB"] as const;
type Measure = typeof MEASURES[number];

const folder = mkdtempSync(join(tmpdir(), "holdfast-bench-"));
const bare: number[] = [];
process.env["HOLDFAST_STATE"] = join(folder, "state");
const measured = new Map<string, Record<Measure, number[]>>();
for (let round = 0; round < ROUNDS; round++) {
  bare.push(await whole([node, "-e", "0"]));
  for (const [name, words] of Object.entries(PROGRAMS)) {
    const rows = measured.get(name) ?? { "--version": [], "initialize": [], "first tool call": [], "RSS MB": [] };
    measured.set(name, rows);
    rows["--version"].push(await whole([...words, "--version"]));
    keep(rows, await converse(words, join(folder, `${round}-${measured.size}-${rows.initialize.length}.db`)));
  }
  const rows = measured.get(`${ATTACHED}, attached`) ??
    { "--version": [], initialize: [], "first tool call": [], "RSS MB": [] };
  measured.set(`${ATTACHED}, attached`, rows);
  const store = join(folder, `${round}-attached.db`);
  const [command = ""] = PROGRAMS[ATTACHED] ?? [];
  execFileSync(command, ["daemon", "start", "--store", store]);
  keep(rows, await converse(PROGRAMS[ATTACHED] ?? [], store));
  execFileSync(command, ["daemon", "stop", "--store", store]);
}
rmSync(folder, { recursive: true, force: true });
const base = quantile(bare, 0.5);
const shown = (measure: Measure, values: readonly number[]) => {
  if (values.length === 0) return "";
  const median = quantile([...values], 0.5);
  return measure === "RSS MB" ? median.toFixed(0) : `${median.toFixed(0)} (${(median / base).toFixed(1)})`;
};
report("start", {
  [
    `CPU ms to the end of --version or to the answer, and beside a bare start of Node (${
      base.toFixed(0)
    } ms); medians of ${ROUNDS}`
  ]: {
    columns: ["program", ...MEASURES],
    rows: [...measured].map(([name, rows]) => [name, ...MEASURES.map((one) => shown(one, rows[one]))]),
  },
});

function keep(rows: Record<Measure, number[]>, session: Awaited<ReturnType<typeof converse>>): void {
  rows.initialize.push(session.initialized);
  rows["first tool call"].push(session.called);
  rows["RSS MB"].push(session.rss);
}

/** CPU of a process from its start to its end, in milliseconds. */
async function whole(words: readonly string[]): Promise<number> {
  const timed = 'TIMEFORMAT="%U %S"; time "$@" >/dev/null';
  const child = spawn("bash", ["-c", timed, "bash", ...words], { stdio: ["ignore", "ignore", "pipe"] });
  let told = "";
  for await (const chunk of child.stderr) told += chunk;
  const [user = NaN, system = NaN] = told.trim().split(" ").map(Number);
  return (user + system) * 1000;
}

/** CPU up to the two answers, in milliseconds, and the memory after them. */
async function converse([command = "", ...words]: readonly string[], store: string) {
  const child = spawn(command, [...words, "mcp", "--store", store], { stdio: ["pipe", "pipe", "ignore"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (id: number, method: string, params: object) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    await lines.next();
    return spent(child.pid);
  };
  const initialized = await ask(1, "initialize", INITIALIZE);
  const called = await ask(2, "tools/call", { name: "memory_add", arguments: FACT });
  const rss = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1000;
  child.stdin.end();
  await new Promise((resolve) => child.on("exit", resolve));
  return { initialized, called, rss };
}

/** On-processor time of all threads so far, in milliseconds. */
function spent(pid: number | undefined): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const times = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0])
  );
  return times.reduce((sum, time) => sum + time, 0) / 1e6;
}

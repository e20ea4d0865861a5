// The server as a host meets it, over stdio: node scripts/bench/stdio.ts [1000 10000 100000] [--record]
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { openMemory } from "../../src/memory/open.ts";
import { corpus } from "./support/corpus.ts";
import { quantile, report } from "./support/report.ts";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const STARTS = 11;
const CALLS = 300;
const INITIALIZE = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "1" } };

const folder = mkdtempSync(`${tmpdir()}/holdfast-bench-`);
const sizes = process.argv.slice(2).filter((word) => /^\d+$/.test(word)).map(Number);
const starts = await startUp();
const rows = [];
for (const size of sizes.length > 0 ? sizes : [1000, 10_000, 100_000]) rows.push(await calls(size));
rmSync(folder, { recursive: true, force: true });
report("stdio", {
  "Start, medians of 11": { columns: ["from spawn to", "wall ms", "beside a bare start of Node"], rows: starts },
  "Calls over stdio": {
    columns: ["facts", "add p50 / p95 ms", "first call ms", "search p50 / p95 ms", "server RSS MB"],
    rows,
  },
});

async function startUp() {
  const [bare, initialize, list]: number[][] = [[], [], []];
  for (let at = 0; at < STARTS; at++) {
    let start = performance.now();
    await new Promise((resolve) => spawn(process.execPath, ["-e", "0"]).on("exit", resolve));
    bare?.push(performance.now() - start);
    start = performance.now();
    const server = connect(`${folder}/start.db`);
    await server.request("initialize", INITIALIZE);
    initialize?.push(performance.now() - start);
    await server.request("tools/call", { name: "memory_search", arguments: { agent_id: "a", query: "x y" } });
    list?.push(performance.now() - start);
    await server.close();
  }
  const base = quantile(bare ?? [], 0.5);
  const row = (
    name: string,
    times: number[] = [],
  ) => [name, quantile(times, 0.5).toFixed(0), (quantile(times, 0.5) / base).toFixed(2)];
  return [
    row("the end of `node -e 0`", bare),
    row("the answer to initialize", initialize),
    row("the first tool's answer", list),
  ];
}

async function calls(size: number) {
  const store = `${folder}/${size}.db`;
  const { facts, question } = corpus(size + CALLS);
  const memory = await openMemory({ store, durability: "normal", busyTimeout: 10_000 });
  for (const { text, session } of facts.slice(0, size)) await memory.add({ agentId: "a", text, sessionId: session });
  await memory.close();
  const server = connect(store);
  await server.request("initialize", INITIALIZE);
  const call = async (name: string, args: object) => {
    const start = performance.now();
    await server.request("tools/call", { name, arguments: { agent_id: "a", ...args } });
    return performance.now() - start;
  };
  const first = await call("memory_search", { query: question().query });
  const searches: number[] = [];
  for (let at = 0; at < CALLS; at++) searches.push(await call("memory_search", { query: question().query }));
  const adds: number[] = [];
  for (const { text, session } of facts.slice(size)) adds.push(await call("memory_add", { text, session_id: session }));
  const rss = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, "utf8"))?.[1] ?? 0) / 1000;
  await server.close();
  const times = (values: number[]) => `${quantile(values, 0.5).toFixed(2)} / ${quantile(values, 0.95).toFixed(2)}`;
  return [size, times(adds), first.toFixed(0), times(searches.slice(20)), rss.toFixed(0)];
}

function connect(store: string) {
  const child: ChildProcess = spawn(process.execPath, [MAIN, "mcp", "--store", store], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const waiting = new Map<number, (message: unknown) => void>();
  if (child.stdout) {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const message: { id: number } = JSON.parse(line);
      waiting.get(message.id)?.(message);
    });
  }
  let id = 0;
  return {
    child,
    request(method: string, params: object): Promise<unknown> {
      const wanted = ++id;
      child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id: wanted, method, params })}\n`);
      return new Promise((resolve) => waiting.set(wanted, resolve));
    },
    close(): Promise<unknown> {
      const ended = new Promise((resolve) => child.on("exit", resolve));
      child.stdin?.end();
      return ended;
    },
  };
}

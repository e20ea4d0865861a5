// Calls over HTTP beside calls in process, on one memory: node scripts/bench/http.ts [FACTS] [--record]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { BODY_LIMIT } from "../../src/http/door.ts";
import { listenHttp } from "../../src/http/listen.ts";
import { mcpOverHttp } from "../../src/mcp/http.ts";
import { openMemory } from "../../src/memory/open.ts";
import { openReader } from "../../src/memory/reader.ts";
import { corpus } from "./support/corpus.ts";
import { quantile, report } from "./support/report.ts";

const ROUNDS = 300;
const AT_ONCE = 16;
const TOKEN = "a-token-for-the-benchmark";
const size = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 10_000);

const folder = mkdtempSync(join(tmpdir(), "holdfast-bench-"));
const config = { store: join(folder, "store.db"), durability: "normal", busyTimeout: 10_000 } as const;
const [memory, reader] = [await openMemory(config), await openReader(config)];
const { facts, question } = corpus(size);
for (const { text, session } of facts) await memory.add({ agentId: "bench", text, sessionId: session });
const parts = { memory: () => Promise.resolve(memory), reader: () => Promise.resolve(reader) };
const { address, close } = await listenHttp({
  bind: "127.0.0.1:0",
  token: TOKEN,
  rate: 1_000_000,
  memory: parts.memory,
  mcp: mcpOverHttp(parts, BODY_LIMIT),
  gauges: () => Promise.resolve({ facts: 0, storeBytes: 0, clients: 0 }),
});

const post = async (path: string, body: object) => {
  const response = await fetch(`${address}${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${TOKEN}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  await response.json();
};
const search = () => ({ agent_id: "bench", query: question().query });
const WAYS: Readonly<Record<string, () => Promise<unknown>>> = {
  "in process": () => memory.search({ agentId: "bench", query: question().query }),
  "REST": () => post("/v1/memory_search", search()),
  "MCP": () =>
    post("/mcp", {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "memory_search", arguments: search() },
    }),
};
const times = new Map<string, number[]>(Object.keys(WAYS).map((way) => [way, []]));
for (let round = 0; round < ROUNDS; round++) {
  // In turn, so that a busy moment of the machine falls on all alike.
  for (const [way, call] of Object.entries(WAYS)) {
    const since = performance.now();
    await call();
    times.get(way)?.push(performance.now() - since);
  }
}
const rows = [];
const base = quantile(times.get("in process") ?? [], 0.5);
for (const [way, some] of times) {
  const since = performance.now();
  const call = WAYS[way] ?? (() => Promise.resolve());
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (let at = 0; at < ROUNDS / AT_ONCE; at++) await call();
  }));
  const rate = Math.ceil(ROUNDS / AT_ONCE) * AT_ONCE / (performance.now() - since) * 1000;
  const median = quantile(some, 0.5);
  rows.push([way, median.toFixed(1), quantile(some, 0.99).toFixed(1), (median / base).toFixed(2), rate.toFixed(0)]);
}
await close(0);
await memory.close();
await reader.close();
rmSync(folder, { recursive: true, force: true });
report("http", {
  [`A search over ${size} facts`]: {
    columns: ["way", "p50 ms", "p99 ms", "p50 beside in process", `calls/s, ${AT_ONCE} at once`],
    rows,
  },
});

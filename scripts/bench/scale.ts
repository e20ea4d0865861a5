// Time and size as a store grows, in process: node scripts/bench/scale.ts [1000 10000 100000] [--agents=100] [--record]
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { openMemory } from "../../src/memory/open.ts";
import { corpus } from "./support/corpus.ts";
import { quantile, report } from "./support/report.ts";

/** Timed questions, after some an agent that warm its caches. */
const QUESTIONS = 300;
const WARMING = 2;
const TIMED_ADDS = 2000;
const words = process.argv.slice(2);
const sizes = words.filter((word) => /^\d+$/.test(word)).map(Number);
const agents = Number(words.find((word) => word.startsWith("--agents="))?.slice("--agents=".length) ?? 1);

const rows = [];
for (const size of sizes.length > 0 ? sizes : [1000, 10_000, 100_000]) rows.push(await measure(size));
report(agents > 1 ? `scale-${agents}` : "scale", {
  [`${agents} agent${agents > 1 ? "s" : ""}`]: {
    columns: [
      "facts",
      "add p50 / p95 ms",
      "first search ms",
      "search p50 / p95 ms",
      "found first",
      "store MB",
      "RSS MB",
    ],
    rows,
  },
});

async function measure(size: number) {
  const folder = mkdtempSync(`${tmpdir()}/holdfast-bench-`);
  const settings = { store: `${folder}/store.db`, durability: "normal", busyTimeout: 10_000 } as const;
  const { facts, question } = corpus(size);
  const agentOf = (at: number) => `agent-${at % agents}`;
  const filling = await openMemory(settings);
  const adds: number[] = [];
  for (const [at, { text, session }] of facts.entries()) {
    const start = performance.now();
    await filling.add({ agentId: agentOf(at), text, sessionId: session });
    adds.push(performance.now() - start);
  }
  await filling.close();
  const memory = await openMemory(settings);
  const searches: number[] = [];
  let first = 0;
  const asked = QUESTIONS + WARMING * agents;
  for (let at = 0; at < asked; at++) {
    const { query, about } = question();
    const start = performance.now();
    const { hits } = await memory.search({ agentId: agentOf(about), query });
    searches.push(performance.now() - start);
    first += Number(hits[0]?.text === facts[about]?.text);
  }
  const warm = searches.slice(WARMING * agents);
  const row = [
    size,
    `${quantile(adds.slice(-TIMED_ADDS), 0.5).toFixed(2)} / ${quantile(adds.slice(-TIMED_ADDS), 0.95).toFixed(2)}`,
    (searches[0] ?? 0).toFixed(0),
    `${quantile(warm, 0.5).toFixed(2)} / ${quantile(warm, 0.95).toFixed(2)}`,
    `${(100 * first / asked).toFixed(0)} %`,
    (statSync(settings.store).size / 1e6).toFixed(0),
    (process.memoryUsage().rss / 1e6).toFixed(0),
  ];
  await memory.close();
  rmSync(folder, { recursive: true, force: true });
  return row;
}

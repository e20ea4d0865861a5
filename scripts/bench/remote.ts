// A store on a server beside one in a file: node scripts/bench/remote.ts [facts=1000] [--copy=100000] [--record]
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Config } from "../../src/core/config.ts";
import { openMemory } from "../../src/memory/open.ts";
import { openDatabase } from "../../src/store/store.ts";
import { copyStore } from "../../src/store/transfer.ts";
import { startProxy } from "../../test/support/proxy.ts";
import { startSqld } from "../../test/support/sqld.ts";
import { corpus } from "./support/corpus.ts";
import { quantile, report } from "./support/report.ts";

const RUNS = 100;
const WRITERS = 8;
const EACH = 100;
const words = process.argv.slice(2);
const option = (name: string) => words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
const settings = (store: string): Config => ({
  store,
  durability: "normal",
  busyTimeout: 20_000,
  ...(store.startsWith("http") ? { server: { deadline: 60_000 } } : {}),
});

const writer = option("writer");
if (writer === undefined) await all();
else await write(writer, option("name") ?? "");

async function all(): Promise<void> {
  const size = Number(words.find((word) => /^\d+$/.test(word)) ?? 1000);
  const folder = mkdtempSync(`${tmpdir()}/holdfast-bench-`);
  const file = `${folder}/store.db`;
  const server = await startSqld();
  const proxy = await startProxy(server.port);
  await fill(file, size);
  await copy(file, server.url);
  const columns: Record<string, readonly string[]>[] = [await operations(file, size, () => 0)];
  for (const delay of [0, 20, 80]) {
    proxy.delay = delay;
    columns.push(await operations(proxy.url, size, () => proxy.requests));
  }
  const names = Object.keys(columns[1] ?? {});
  const operationsTable = {
    columns: [
      "operation",
      "requests",
      "file, p50 / p95 ms",
      "sqld on this machine",
      "sqld, 20 ms away",
      "sqld, 80 ms away",
    ],
    rows: names.map((name) => [
      name,
      columns[1]?.[name]?.[1] ?? "",
      ...columns.map((column) => column[name]?.[0] ?? ""),
    ]),
  };
  const crowd = [["one file", ...await crowdOf(file)], ["sqld on this machine", ...await crowdOf(server.url)]];
  const size2 = Number(option("copy") ?? 0);
  const copies = size2 > 0 ? await copyTimes(folder, server, size2) : [];
  await proxy.close();
  await server.kill();
  rmSync(folder, { recursive: true, force: true });
  report("remote", {
    [`Each operation, ${size} facts`]: operationsTable,
    [`${WRITERS} processes adding at once`]: {
      columns: ["store", "adds a second", "slowest add, ms"],
      rows: crowd,
    },
    ...(copies.length > 0
      ? { "holdfast copy": { columns: ["facts", "from", "to", "seconds", "facts a second"], rows: copies } }
      : {}),
  });
}

async function fill(store: string, size: number): Promise<void> {
  const memory = await openMemory(settings(store));
  for (const { text, session } of corpus(size).facts) await memory.add({ agentId: "a", text, sessionId: session });
  await memory.close();
}

/** p50 / p95 of each operation, and its requests. */
async function operations(store: string, size: number, requests: () => number) {
  const memory = await openMemory(settings(store));
  const database = await openDatabase(settings(store));
  const { question } = corpus(size);
  const mark = Math.random().toString(36).slice(2);
  const told = (at: number) => `The measured fact ${mark} number ${at} of this run`;
  const agentId = "a";
  const work: Readonly<Record<string, (at: number) => Promise<unknown>>> = {
    "nothing (SELECT 1)": () => database.read([{ sql: "SELECT 1", args: [] }]),
    "search": () => memory.search({ agentId, query: question().query }),
    "add": (at) => memory.add({ agentId, text: told(at), sessionId: mark }),
    "update": (at) => memory.update({ agentId, target: told(at), text: `${told(at)}, corrected`, sessionId: mark }),
    "forget": (at) => memory.forget({ agentId, target: `${told(at)}, corrected` }),
    "checkpoint save": (at) => memory.saveCheckpoint({ agentId, state: { at, goal: "measure" } }),
    "checkpoint resume": () => memory.resumeCheckpoint({ agentId }),
  };
  for (let at = 0; at < 20; at++) await memory.search({ agentId, query: question().query });
  const measured: Record<string, readonly string[]> = {};
  for (const [name, run] of Object.entries(work)) {
    await run(RUNS);
    const times: number[] = [];
    const before = requests();
    for (let at = 0; at < RUNS; at++) {
      const start = performance.now();
      await run(at);
      times.push(performance.now() - start);
    }
    measured[name] = [
      `${quantile(times, 0.5).toFixed(1)} / ${quantile(times, 0.95).toFixed(1)}`,
      ((requests() - before) / RUNS).toFixed(2),
    ];
  }
  await Promise.all([memory.close(), database.close()]);
  return measured;
}

/** Adds a second of all processes together, and the slowest add. */
async function crowdOf(store: string): Promise<readonly string[]> {
  const self = fileURLToPath(import.meta.url);
  const told = await Promise.all(Array.from({ length: WRITERS }, async (_, at) => {
    const child = spawn(process.execPath, [self, `--writer=${store}`, `--name=${at}-${Date.now()}`], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let text = "";
    child.stdout.on("data", (chunk) => text += chunk);
    await new Promise((resolve) => child.on("close", resolve));
    return JSON.parse(text) as { start: number; end: number; slowest: number };
  }));
  const seconds = (Math.max(...told.map(({ end }) => end)) - Math.min(...told.map(({ start }) => start))) / 1000;
  return [(WRITERS * EACH / seconds).toFixed(0), Math.max(...told.map(({ slowest }) => slowest)).toFixed(0)];
}

async function write(store: string, name: string): Promise<void> {
  const memory = await openMemory(settings(store));
  await memory.search({ agentId: "crowd", query: "anything" });
  const start = Date.now();
  let slowest = 0;
  for (let at = 0; at < EACH; at++) {
    const begin = performance.now();
    await memory.add({ agentId: "crowd", text: `Writer ${name} tells fact ${at}`, sessionId: name });
    slowest = Math.max(slowest, performance.now() - begin);
  }
  console.log(JSON.stringify({ start, end: Date.now(), slowest }));
  await memory.close();
}

async function copy(from: string, to: string): Promise<number> {
  const [source, target] = [await openDatabase(settings(from)), await openDatabase(settings(to))];
  const start = performance.now();
  const copied = await copyStore(source, target, () => {});
  const seconds = (performance.now() - start) / 1000;
  await Promise.all([source.close(), target.close()]);
  if (copied.some(({ differing }) => differing > 0)) throw new Error("The copy differs");
  return seconds;
}

async function copyTimes(folder: string, server: Awaited<ReturnType<typeof startSqld>>, size: number) {
  await server.wipe();
  await fill(`${folder}/large.db`, size);
  const row = (
    from: string,
    to: string,
    seconds: number,
  ) => [size, from, to, seconds.toFixed(0), (size / seconds).toFixed(0)];
  const there = await copy(`${folder}/large.db`, server.url);
  const again = await copy(`${folder}/large.db`, server.url);
  const back = await copy(server.url, `${folder}/back.db`);
  return [row("file", "sqld", there), row("file", "sqld, again", again), row("sqld", "file", back)];
}

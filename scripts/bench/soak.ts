// Many hosts' servers on one store, with a daemon and without, and a daemon that is killed: node scripts/bench/soak.ts [SECONDS] [--record]
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { openMemory } from "../../src/memory/open.ts";
import { corpus } from "./support/corpus.ts";
import { quantile, report } from "./support/report.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/holdfast", import.meta.url));
const CLIENTS = 64;
const FACTS = 10_000;
const ADDS = 0.1;
const KILLS = 5;
const KILLED_CLIENTS = 8;
const seconds = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 60);

const folder = mkdtempSync(join(tmpdir(), "holdfast-soak-"));
process.env["HOLDFAST_STATE"] = join(folder, "state");
const { facts, question } = corpus(FACTS);
const rows = [];
for (const way of ["daemon", "in process"] as const) rows.push(await soak(way));
const killed = await kill();
rmSync(folder, { recursive: true, force: true });
report("soak", {
  [`${CLIENTS} servers of hosts on ${FACTS} facts, 9 searches to each add, ${seconds} s`]: {
    columns: [
      "",
      "calls",
      "failed",
      "calls/s",
      "p50 ms",
      "p99 ms",
      "MB of all at the start",
      "at the end",
      "daemon's MB, start and end",
    ],
    rows,
  },
  [`The daemon killed ${KILLS} times under ${KILLED_CLIENTS} servers that add`]: {
    columns: ["acknowledged", "failed", "found afterwards", "lost", "servers that went on"],
    rows: [killed],
  },
});

async function fill(name: string): Promise<string> {
  const store = join(folder, `${name}.db`);
  const memory = await openMemory({ store, durability: "normal", busyTimeout: 10_000 });
  for (const { text, session } of facts) await memory.add({ agentId: "bench", text, sessionId: session });
  await memory.close();
  return store;
}

async function soak(way: "daemon" | "in process") {
  const store = await fill(way.replace(" ", "-"));
  const daemon = way === "daemon" ? start(store) : undefined;
  const clients = Array.from({ length: CLIENTS }, () => connect(store, way === "daemon" ? [] : ["--no-daemon"]));
  await Promise.all(clients.map((client) => client.search()));
  const memory = () =>
    [...clients.map(({ pid }) => pid), ...(daemon ? [daemon] : [])].reduce((sum, pid) => sum + rss(pid), 0);
  const [before, daemonBefore] = [memory(), daemon ? rss(daemon) : 0];
  const times: number[] = [];
  let failed = 0;
  const until = performance.now() + seconds * 1000;
  await Promise.all(clients.map(async (client, at) => {
    for (let call = 0; performance.now() < until; call++) {
      const since = performance.now();
      const good = Math.random() < ADDS
        ? await client.add(`Server ${at} notes ${call} in its soak`)
        : await client.search();
      times.push(performance.now() - since);
      if (!good) failed++;
    }
  }));
  const row = [
    way,
    times.length,
    failed,
    (times.length / seconds).toFixed(0),
    quantile(times, 0.5).toFixed(1),
    quantile(times, 0.99).toFixed(1),
    before.toFixed(0),
    memory().toFixed(0),
    daemon ? `${daemonBefore.toFixed(0)} ${rss(daemon).toFixed(0)}` : "",
  ];
  await Promise.all(clients.map((client) => client.close()));
  if (daemon) process.kill(daemon, "SIGTERM");
  return row;
}

async function kill() {
  const store = await fill("killed");
  const acknowledged: string[] = [];
  let failed = 0;
  let alive = 0;
  for (let round = 0; round < KILLS; round++) {
    const daemon = start(store);
    const clients = Array.from({ length: KILLED_CLIENTS }, () => connect(store, []));
    await Promise.all(clients.map((client) => client.search()));
    let dead = false;
    setTimeout(() => (process.kill(daemon, "SIGKILL"), dead = true), 700);
    const went = await Promise.all(clients.map(async (client, at) => {
      let after = 0;
      for (let call = 0; after < 20; call++) {
        const text = `Round ${round}, server ${at}, note ${call}`;
        if (await client.add(text)) acknowledged.push(text);
        else failed++;
        if (dead) after++;
      }
      return await client.search();
    }));
    alive += went.filter(Boolean).length;
    await Promise.all(clients.map((client) => client.close()));
  }
  const listed = execFileSync(
    PROGRAM,
    ["list", "--agent-id", "bench", "--json", "--limit", "999999", "--store", store],
    {
      maxBuffer: 1e9,
    },
  );
  const held = new Set<string>(JSON.parse(listed.toString()).facts.map((fact: { text: string }) => fact.text));
  const found = acknowledged.filter((text) => held.has(text)).length;
  return [acknowledged.length, failed, found, acknowledged.length - found, `${alive} of ${KILLS * KILLED_CLIENTS}`];
}

function start(store: string): number {
  return JSON.parse(execFileSync(PROGRAM, ["daemon", "start", "--json", "--store", store]).toString()).pid;
}

function connect(store: string, flags: readonly string[]) {
  const child = spawn(PROGRAM, ["mcp", "--store", store, ...flags], { stdio: ["pipe", "pipe", "ignore"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let id = 0;
  const ask = async (method: string, params: object) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params })}\n`);
    const { value } = await lines.next();
    return JSON.parse(value ?? "{}").result;
  };
  const clientInfo = { name: "soak", version: "1" };
  const ready = ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  const call = async (name: string, args: object): Promise<boolean> => {
    await ready;
    const result = await ask("tools/call", { name, arguments: { agent_id: "bench", ...args } });
    return result !== undefined && result.isError !== true;
  };
  return {
    pid: child.pid ?? 0,
    search: () => call("memory_search", { query: question().query }),
    add: (text: string) => call("memory_add", { text }),
    close: () => {
      child.stdin.end();
      return new Promise((resolve) => child.on("exit", resolve));
    },
  };
}

/** Resident, of which programs share what they have mapped: megabytes of its own alone. */
function rss(pid: number): number {
  return Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1000;
}

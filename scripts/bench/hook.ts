// Hooks as a host runs them, beside a bare start of Node: node scripts/bench/hook.ts [FACTS] [--main PATH] [--record]
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { openMemory } from "../../src/memory/open.ts";
import { corpus } from "./support/corpus.ts";
import { quantile, report } from "./support/report.ts";

/** `--main` takes a bundle or an executable of the same program: what people install has no types to strip. */
const at = process.argv.indexOf("--main");
const MAIN = process.argv[at + 1] && at > 0
  ? process.argv[at + 1] ?? ""
  : fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const PROGRAM = /\.c?[jt]s$/.test(MAIN) ? [process.execPath, resolve(MAIN)] : [resolve(MAIN)];
const RUNS = 40;
const facts = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 10_000);

const home = mkdtempSync(`${tmpdir()}/holdfast-bench-`);
const cwd = join(home, "my-app");
const store = join(home, "store.db");
mkdirSync(cwd);
const { facts: told, question } = corpus(facts);
const memory = await openMemory({ store, durability: "normal", busyTimeout: 10_000 });
for (const { text, session } of told) await memory.add({ agentId: "my-app", text, sessionId: session });
await memory.close();

const inputs: Readonly<Record<string, () => object | undefined>> = {
  "node -e 0": () => undefined,
  "session-start": () => ({ source: "startup" }),
  prompt: () => ({ prompt: question().query }),
  "pre-compact": () => ({ trigger: "auto" }),
};
const WAYS = ["never", "use"] as const;
const title = (name: string, way: typeof WAYS[number]) => way === "use" ? `${name}, daemon` : name;
const times = new Map<string, number[]>();
execFileSync(PROGRAM[0] ?? "", [...PROGRAM.slice(1), "daemon", "start", "--store", store], { env: { HOME: home } });
let answers = 0;
for (let run = 0; run < RUNS; run++) {
  // In turn, so that a busy moment of the machine falls on all alike.
  for (const [name, input] of Object.entries(inputs)) {
    for (const way of WAYS) {
      const given = input();
      if (given === undefined && way === "use") continue;
      const some = times.get(title(name, way)) ?? [];
      times.set(title(name, way), [...some, await time(name, given, `${way}-${run}`)]);
    }
  }
}
execFileSync(PROGRAM[0] ?? "", [...PROGRAM.slice(1), "daemon", "stop", "--store", store], { env: { HOME: home } });
rmSync(home, { recursive: true, force: true });

const bare = quantile(times.get("node -e 0") ?? [], 0.5);
report("hook", {
  [`Hooks at ${facts} facts, ${RUNS} runs each, in turn`]: {
    columns: ["hook", "p50 ms", "p95 ms", "p50 beside a bare start of Node"],
    rows: [...times].map(([name, some]) => [
      name,
      quantile(some, 0.5).toFixed(0),
      quantile(some, 0.95).toFixed(0),
      (quantile(some, 0.5) / bare).toFixed(2),
    ]),
  },
});
console.log(`\n${answers} of ${RUNS * 4} session starts and prompts were answered`);

async function time(name: string, input: object | undefined, run: string): Promise<number> {
  const hook = [...PROGRAM, "hook", name, "--host", "claude-code", "--store", store];
  const [command = "", ...words] = input === undefined ? [process.execPath, "-e", "0"] : hook;
  const start = performance.now();
  const child = spawn(command, words, {
    cwd,
    env: { HOME: home, HOLDFAST_DAEMON: run.startsWith("use") ? "use" : "never" },
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin.end(input === undefined ? "" : JSON.stringify({ session_id: `s${run}`, cwd, ...input }));
  let said = 0;
  child.stdout.on("data", (chunk: Uint8Array) => said += chunk.length);
  await new Promise((resolve) => child.on("close", resolve));
  if (said > 0) answers++;
  return performance.now() - start;
}

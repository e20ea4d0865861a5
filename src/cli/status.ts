// `holdfast status`: one screen of what is remembered, how it grows, and what hooks give to models.
import { readConfig } from "../core/config.ts";
import { VERSION } from "../core/version.ts";
import { formatDate, formatTime } from "../core/time.ts";
import type { Run } from "../hosts/hook_state.ts";
import { hookState } from "../hosts/run_hook.ts";
import type { AgentSummary } from "../store/listing.ts";
import type { Input } from "./command.ts";
import { print, printJson } from "./output.ts";

const DAY = 24 * 60 * 60 * 1000;
const GROWTH_DAYS = 30;
const SHOWN_AGENTS = 12;
/** Counted high: most tokenizers make fewer of English prose. */
const CHARACTERS_A_TOKEN = 4;
const BARS = "▁▂▃▄▅▆▇█";

export async function status({ flags }: Input): Promise<number> {
  const text = (flag: string) => flags[flag]?.toString();
  const config = readConfig({ store: text("store"), embedder: text("embedder") });
  const { examine, storeExists } = await import("../store/health.ts");
  if (!storeExists(config)) {
    if (flags["json"] === true) printJson({ version: VERSION, store: config.store, exists: false, agents: [] });
    else print(`Holdfast ${VERSION}\n\nNothing is remembered yet: ${config.store} is made by the first memory.`);
    return 0;
  }
  const health = await examine(config);
  const { openReader } = await import("../memory/reader.ts");
  const reader = await openReader(config);
  try {
    const now = Date.now();
    const [agents, growth] = [await reader.agents(), await reader.growth(GROWTH_DAYS, now)];
    const characters = await reader.characters();
    const hooks = hookUse(hookState().runs(), characters, now);
    const embedder = config.embedder?.name ?? "words";
    const size = health.file ? ` (${(health.file.size / 1024 / 1024).toFixed(1)} MB)` : "";
    if (flags["json"] === true) {
      printJson({
        version: VERSION,
        store: config.store,
        exists: true,
        ...(health.file ? { size: health.file.size } : {}),
        facts: health.facts,
        embedder,
        agents: agents.map(wire),
        growth,
        hooks,
      });
    } else {
      print([
        `Holdfast ${VERSION}, store ${config.store}${size}, embedder ${embedder}`,
        "",
        ...table(agents),
        "",
        `Facts told in ${GROWTH_DAYS} days  ${spark(growth)}  ${sum(growth)}`,
        ...told(hooks),
      ].join("\n"));
    }
    return 0;
  } finally {
    await reader.close();
  }
}

interface HookUse {
  /** In the last 30 days. */
  readonly runs: number;
  readonly tokens: number;
  /** What the same starts of sessions would have cost with every fact in them. */
  readonly tokens_of_everything: number;
  readonly median_ms: number;
  /** How often a hook gave a model something, on each of the last 30 days, today last. */
  readonly recalls: readonly number[];
}

function hookUse(runs: readonly Run[], characters: number, now: number): HookUse {
  const recent = runs.filter(({ at }) => at > now - 30 * DAY);
  const starts = recent.filter(({ event }) => event === "session-start").length;
  const times = recent.map(({ ms }) => ms).sort((a, b) => a - b);
  return {
    runs: recent.length,
    tokens: Math.round(recent.reduce((sum, one) => sum + one.characters, 0) / CHARACTERS_A_TOKEN),
    tokens_of_everything: Math.round(starts * characters / CHARACTERS_A_TOKEN),
    median_ms: times[Math.floor(times.length / 2)] ?? 0,
    recalls: perDay(recent.filter(({ characters }) => characters > 0).map(({ at }) => at), now),
  };
}

function perDay(times: readonly number[], now: number): number[] {
  const today = Math.floor(now / DAY);
  const days = Map.groupBy(times, (at) => today - Math.floor(at / DAY));
  return Array.from({ length: GROWTH_DAYS }, (_, at) => days.get(GROWTH_DAYS - 1 - at)?.length ?? 0);
}

function told({ runs, tokens, tokens_of_everything: all, median_ms: ms, recalls }: HookUse): string[] {
  if (runs === 0) return ["Hooks have not run in 30 days."];
  return [
    `Recalled by hooks      ${spark(recalls)}  ${sum(recalls)}`,
    `Hooks in 30 days: ${runs} runs, ${ms} ms in the middle, about ${tokens} tokens given; every fact at every start would be about ${all}.`,
  ];
}

function table(agents: readonly AgentSummary[]): string[] {
  const rows = agents.slice(0, SHOWN_AGENTS).map(({ agentId, facts, retired, checkpoints, lastAt }) => [
    agentId,
    String(facts),
    String(retired),
    String(checkpoints),
    lastAt === undefined ? "" : formatDate(lastAt),
  ]);
  const all = [["agent", "facts", "retired", "checkpoints", "last told"], ...rows];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = all.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd());
  const left = agents.length - rows.length;
  return left > 0 ? [...lines, `and ${left} more`] : lines;
}

function sum(values: readonly number[]): number {
  return values.reduce((all, one) => all + one, 0);
}

function spark(values: readonly number[]): string {
  const most = Math.max(1, ...values);
  return values.map((value) => value === 0 ? " " : BARS[Math.ceil((value / most) * BARS.length) - 1]).join("");
}

function wire({ agentId, facts, retired, checkpoints, lastAt }: AgentSummary): Readonly<Record<string, unknown>> {
  return {
    agent_id: agentId,
    facts,
    retired,
    checkpoints,
    ...(lastAt === undefined ? {} : { last_at: formatTime(lastAt) }),
  };
}

// Sits an exam: fills a fresh store, asks every question, and counts what came back.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { openMemory } from "../../../src/memory/open.ts";
import type { Memory } from "../../../src/memory/memory.ts";
import type { Weights } from "../../../src/memory/rank.ts";
import type { Exam, Told } from "./data.ts";

export interface Sitting {
  readonly sessions?: boolean;
  /** Those of the embedder where absent. */
  readonly weights?: Weights;
  readonly embedder?: "words" | "minilm" | "none";
}

/** Shares from 0 to 1. */
export interface Marks {
  readonly questions: number;
  readonly recall: Readonly<Record<number, number>>;
  readonly mrr: number;
}

export interface Result {
  readonly overall: Marks;
  readonly byKind: Readonly<Record<string, Marks>>;
  /** Questions that nothing answers. */
  readonly none: Silence;
  /** Questions put to an agent that was told nothing of the kind. */
  readonly astray: Silence;
  /** Share of update questions that still show the old text. */
  readonly oldShown: number;
}

/** Share answered with no fact, 0 to 1, and mean number of facts in an answer. */
export interface Silence {
  readonly zero: number;
  readonly mean: number;
}

const CUTS = [1, 5, 8, 10] as const;
const UNANSWERED = ["none", "astray"];
/** LoCoMo's adversarial questions, and those that nothing answers, are told apart from the rest. */
const APART = ["5", ...UNANSWERED];

export async function sit(
  exam: Exam,
  { sessions = true, weights, embedder = "words" }: Sitting = {},
): Promise<Result> {
  const folder = mkdtempSync(`${tmpdir()}/holdfast-bench-`);
  const memory = await openMemory(
    { store: `${folder}/store.db`, durability: "normal", busyTimeout: 10_000, embedder: { name: embedder } },
    weights ? { weights } : {},
  );
  const idOf = new Map<string, string>();
  const session = (fact: Told) => (sessions ? fact.session : "one");
  for (const fact of exam.told) {
    const { factId } = await memory.add({ agentId: fact.agentId, text: fact.text, sessionId: session(fact) });
    if (!idOf.has(factId)) idOf.set(factId, fact.id);
  }
  for (const { agentId, old, new: fresh } of exam.updates) {
    const { factId } = await memory.update({ agentId, target: old.text, text: fresh.text, sessionId: "update" });
    idOf.set(factId, fresh.id);
  }
  for (const agentId of new Set(exam.asked.map((one) => one.agentId))) await settled(memory, agentId);
  const replaced = new Map(exam.updates.map((update) => [update.new.id, update.old.id]));
  const topK = exam.format === "locomo" ? 10 : 8;
  const rows: { readonly kind: string; readonly gold: ReadonlySet<string>; readonly ids: readonly string[] }[] = [];
  for (const { agentId, query, gold, kind } of exam.asked) {
    const { hits } = await memory.search({ agentId, query, topK });
    rows.push({ kind, gold, ids: hits.map(({ factId }) => idOf.get(factId) ?? "") });
  }
  await memory.close();
  rmSync(folder, { recursive: true, force: true });
  const counted = rows.filter(({ kind }) => !APART.includes(kind));
  const silence = (wanted: string): Silence => {
    const some = rows.filter(({ kind }) => kind === wanted);
    return {
      zero: mean(some.map(({ ids }) => Number(ids.length === 0))),
      mean: mean(some.map(({ ids }) => ids.length)),
    };
  };
  const updates = rows.filter(({ kind }) => kind === "update");
  return {
    overall: mark(counted),
    byKind: Object.fromEntries(
      [...Map.groupBy(rows, ({ kind }) => kind)].filter(([kind]) => !UNANSWERED.includes(kind))
        .map(([kind, some]) => [kind, mark(some)]),
    ),
    none: silence("none"),
    astray: silence("astray"),
    oldShown: mean(
      updates.map(({ gold, ids }) => Number([...gold].some((id) => ids.includes(replaced.get(id) ?? "-")))),
    ),
  };
}

function mark(rows: readonly { readonly gold: ReadonlySet<string>; readonly ids: readonly string[] }[]): Marks {
  const recall = (cut: number) =>
    mean(rows.map(({ gold, ids }) => new Set(ids.slice(0, cut).filter((id) => gold.has(id))).size / gold.size));
  const first = rows.map(({ gold, ids }) => ids.findIndex((id) => gold.has(id)) + 1);
  return {
    questions: rows.length,
    recall: Object.fromEntries(CUTS.map((cut) => [cut, recall(cut)])),
    mrr: mean(first.map((place) => (place > 0 ? 1 / place : 0))),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);
}

/** Waits for the vectors that a model makes in the background. */
async function settled(memory: Memory, agentId: string): Promise<void> {
  while ((await memory.search({ agentId, query: "settled" })).degraded !== undefined) await sleep(500);
}

// What texts mean, for search: vectors made when a fact is told or soon after, and likeness word by word.
import { type Embedder, quantize } from "../embed/embedder.ts";
import type { WordTable } from "../embed/words.ts";
import { MemoryError } from "../core/errors.ts";
import { log } from "../core/log.ts";
import type { NewFact } from "../store/facts.ts";
import type { Corpus } from "../store/terms_index.ts";
import type { Vectors } from "../store/vectors.ts";
import { MODEL_WEIGHTS, WEIGHTS, type Weights } from "./rank.ts";

export interface Meaning {
  /** The vector to store with a fact; undefined where it is made later. */
  ofFact(text: string): Promise<NewFact["vector"]>;
  /** The query's vector, or why there is none. */
  ofQuery(query: string): Promise<{ readonly vector?: Float32Array; readonly degraded?: string }>;
  /** Rows of the word table that a text touches; remembered per fact. */
  wordsOf(factId: string, text: string): Int32Array;
  readonly table: WordTable;
  /** What the signals count with this embedder. */
  readonly weights: Weights;
  /** Makes the vectors of facts just told, in the background, where they were not stored with them. */
  catchUp(): void;
  /** How many of the agents' live facts have no vector yet, as a sentence; then makes them, in the background. */
  lacking(corpora: readonly Pick<Corpus, "agentId" | "facts">[]): string | undefined;
  close(): Promise<void>;
}

export interface MeaningParts {
  readonly table: WordTable;
  readonly embedder: Embedder;
  readonly vectors: Vectors;
}

/** Longest wait for a query's vector, in milliseconds: after that the words alone answer. */
const PATIENCE = 1500;
/** Vectors made between two writes: few at first, so that a short-lived process leaves some behind. */
const BATCH = { first: 4, most: 32 };
/** How long closing waits for vectors under way, in milliseconds. */
const FAREWELL = 1500;
const REMEMBERED_FACTS = 50_000;
const REMEMBERED_QUERIES = 500;
/** Pause after an embedder failed to make stored vectors, in milliseconds. */
const RETRY = 30_000;

export function openMeaning({ table, embedder, vectors }: MeaningParts): Meaning {
  const words = new Map<string, Int32Array>();
  const queries = new Map<string, Float32Array>();
  const immediate = embedder === table;
  let working: Promise<void> | undefined;
  let closed = false;
  let restedUntil = 0;
  /** Sequence of the last fact whose vector was made here. */
  let done = 0;

  const fill = async (): Promise<void> => {
    for (let batch = BATCH.first; !closed; batch = Math.min(batch * 2, BATCH.most)) {
      const missing = await vectors.missing(done, batch);
      if (missing.length === 0) return;
      const made = await embedder.embed(missing.map(({ text }) => text));
      await vectors.save(
        missing.map(({ sequence }, at) => ({ sequence, vector: quantize(checked(made[at], embedder)) })),
      );
      done = missing.at(-1)?.sequence ?? done;
      await new Promise((resolve) => setTimeout(resolve));
    }
  };
  const start = (from: number): void => {
    if (working || closed || Date.now() < restedUntil) return;
    done = from;
    working = fill().catch((thrown) => {
      restedUntil = Date.now() + RETRY;
      if (!closed) log(`embedder ${embedder.id}`, thrown instanceof Error ? thrown.message : String(thrown));
    }).finally(() => working = undefined);
  };
  const queryVector = async (query: string): Promise<Float32Array> => {
    const known = queries.get(query);
    if (known) return known;
    const [made] = await within(embedder.embed([query]), PATIENCE);
    const vector = checked(made, embedder);
    if (queries.size >= REMEMBERED_QUERIES) queries.clear();
    queries.set(query, vector);
    return vector;
  };
  return {
    table,
    weights: embedder === table ? WEIGHTS : MODEL_WEIGHTS,
    async ofFact(text) {
      if (!immediate) return undefined;
      const [vector] = await embedder.embed([text]);
      return { model: embedder, cells: quantize(checked(vector, embedder)) };
    },
    async ofQuery(query) {
      try {
        return { vector: await queryVector(query) };
      } catch (thrown) {
        log(`embedder ${embedder.id}`, thrown instanceof Error ? thrown.message : String(thrown));
        return { degraded: `The embedder ${embedder.id} is away: matched by words only` };
      }
    },
    wordsOf(factId, text) {
      const known = words.get(factId);
      if (known) return known;
      if (words.size >= REMEMBERED_FACTS) words.clear();
      const rows = table.rows(text);
      words.set(factId, rows);
      return rows;
    },
    catchUp() {
      if (!immediate) start(done);
    },
    lacking(corpora) {
      const count = corpora.reduce((sum, { agentId, facts }) => sum + Math.max(facts - vectors.count(agentId), 0), 0);
      if (count === 0) return undefined;
      start(0);
      return `${count} ${count === 1 ? "fact has" : "facts have"} no vector of ${embedder.id} yet: found by words only`;
    },
    async close() {
      closed = true;
      if (working) await within(working, FAREWELL).catch(() => {});
      await embedder.close();
      await working;
    },
  };
}

/** An endpoint may answer with anything: a vector of another width must never be stored. */
function checked(vector: Float32Array | undefined, { id, dimensions }: Embedder): Float32Array {
  if (vector && vector.length === dimensions) return vector;
  throw new MemoryError("internal", `The embedder ${id} gave ${vector?.length ?? 0} numbers, not ${dimensions}`);
}

async function within<T>(work: Promise<T>, limit: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${limit} ms`)), limit);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

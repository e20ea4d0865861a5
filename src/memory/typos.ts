// Words of a question that no fact holds, and the held words they may have meant.
import { distance } from "../language/distance.ts";
import type { Candidates } from "../store/candidates.ts";
import type { Corpus } from "../store/terms_index.ts";
import type { Terms } from "../language/terms.ts";
import type { Meaning } from "./meaning.ts";
import type { Asked } from "./rank.ts";

export interface TypoParts {
  readonly candidates: Candidates;
  readonly terms: Terms;
  readonly meaning: Meaning | undefined;
}

export interface Held {
  readonly term: string;
  /** Facts that hold it. */
  readonly facts: number;
}

const SHORTEST = 4;
/** Words this long may hold two slips. */
const LONG = 8;
const CHOSEN = 3;
/** What a held word counts beside the asked one, by the number of slips between them; and for a part of a compound. */
const WEIGHT = { slips: [1, 0.8, 0.5], compound: 0.6 } as const;
const SHORTEST_PART = 4;
const WORD = /[\p{L}\p{N}]+/gu;
const PLAIN = /^[\p{L}\p{M}]+$/u;

/** Asked words that no fact holds, with the held words they may have meant in their place. */
export async function corrected(
  parts: TypoParts,
  { query, agentIds }: { readonly query: string; readonly agentIds: readonly string[] },
  asked: readonly Asked[],
  corpora: readonly Corpus[],
): Promise<readonly Asked[]> {
  const right = termsOfKnownWords(parts, query);
  const unknown = asked.map(({ term }) => term).filter((term) =>
    canBeMeant(term) && !right.has(term) && !corpora.some(({ frequencies }) => frequencies.has(term))
  );
  if (unknown.length === 0 || corpora.every(({ facts }) => facts === 0)) return asked;
  const nearby = await parts.candidates.nearby(agentIds, unknown);
  const replaced = asked.flatMap((one) => {
    const chosen = meant(one.term, nearby.get(one.term) ?? []);
    return chosen.length > 0 ? chosen : [one];
  });
  return replaced.some(({ weight }) => weight < 1)
    ? [...new Map(replaced.map((one) => [one.term, one])).values()]
    : asked;
}

/** A word that the table knows is spelt as it was meant: its likeness to other words speaks for it. */
function termsOfKnownWords({ terms, meaning }: TypoParts, query: string): ReadonlySet<string> {
  const words = query.match(WORD) ?? [];
  return new Set(words.filter((word) => meaning?.table.knows(word)).flatMap((word) => terms(word)));
}

/** Whether a word is worth looking up: letters alone, and long enough to be told from others. */
function canBeMeant(term: string): boolean {
  return term.length >= SHORTEST && PLAIN.test(term);
}

/** The held words nearest to an unknown one, at most three, with less weight than if they had been asked. */
function meant(unknown: string, held: readonly Held[]): Asked[] {
  return held.flatMap(({ term, facts }) => {
    const weight = weightOf(unknown, term);
    return weight > 0 ? [{ term, weight, facts }] : [];
  })
    .sort((a, b) => b.weight - a.weight || b.facts - a.facts || (a.term < b.term ? -1 : 1))
    .slice(0, CHOSEN)
    .map(({ term, weight }) => ({ term, weight }));
}

function weightOf(unknown: string, term: string): number {
  if (!PLAIN.test(term)) return 0;
  const limit = unknown.length < LONG ? 1 : 2;
  const slips = distance(unknown, term, limit);
  if (slips <= limit && term[0] === unknown[0]) return WEIGHT.slips[slips] ?? 0;
  const [part, whole] = term.length < unknown.length ? [term, unknown] : [unknown, term];
  const compound = part.length >= SHORTEST_PART && part.length * 3 >= whole.length &&
    (whole.startsWith(part) || whole.endsWith(part));
  return compound ? WEIGHT.compound : 0;
}

// Search: terms, candidates, rank, and an answer that explains itself when it is empty.
import { type Hit, SHARED } from "../core/model.ts";
import { asksWhen } from "../language/cues.ts";
import type { Candidate, Corpus } from "../store/terms_index.ts";
import { emptiness, type EmptinessParts } from "./emptiness.ts";
import { likenessOf, type LikenessParts } from "./likeness.ts";
import type { SearchRequest, SearchResult } from "./memory.ts";
import { type Asked, rank, type Rankable, type Ranked, type Weights } from "./rank.ts";
import { type Policy, textOut } from "./secrets.ts";
import { corrected, type TypoParts } from "./typos.ts";

export type SearchParts = EmptinessParts & LikenessParts & TypoParts & {
  readonly weights?: Weights | undefined;
  readonly secrets?: Policy;
};

const DEFAULT_TOP_K = 8;
/** Facts fetched for their words. */
const CANDIDATES = 50;
/** Characters of fact text in one answer, about 20 000 tokens: hosts cut longer results. */
const ANSWER_LIMIT = 80_000;

export async function search(parts: SearchParts, request: SearchRequest): Promise<SearchResult> {
  const { agentId, query, topK = DEFAULT_TOP_K, includeShared = true, quick = false } = request;
  const agentIds = includeShared ? [...new Set([agentId, SHARED])] : [agentId];
  const sequence = parts.terms(query);
  const exact = [...new Set(sequence)].map((term) => ({ term, weight: 1 }));
  const { vector, degraded: away } = quick ? {} : await parts.meaning?.ofQuery(query) ?? {};
  const find = (asked: readonly Asked[]) =>
    parts.candidates.find({
      scope: { agentIds, since: request.since, until: request.until, asOf: request.asOf },
      terms: asked.map(({ term }) => term),
      limit: CANDIDATES,
      vector,
    });
  const first = await find(exact);
  const asked = await corrected(parts, { query, agentIds }, exact, first.corpora);
  const { corpora, candidates } = asked === exact ? first : await find(asked);
  const question = { asked, sequence, asksWhen: asksWhen(query) };
  const found = candidates.map((candidate) => rankable(candidate, corpora));
  const ranked = rank(
    question,
    found,
    likenessOf(parts, query, corpora[0] ?? NO_CORPUS),
    parts.weights ?? parts.meaning?.weights,
  );
  const { kept, left } = within(evident(ranked).sort(best).slice(0, topK));
  const hits = kept.map((one) => toHit(one, request.explain ?? false, parts.secrets));
  const degraded = quick ? undefined : away ?? parts.meaning?.lacking(corpora);
  const note = hits.length === 0 ? await emptiness(parts, request, corpora) : leftOut(left);
  return { hits, ...(note === undefined ? {} : { note }), ...(degraded === undefined ? {} : { degraded: [degraded] }) };
}

type Found = Rankable & Pick<Candidate, "fact" | "sequence">;

const NO_CORPUS = { facts: 0, meanLength: 1, frequencies: new Map<string, number>() };

function rankable(candidate: Candidate & { readonly cosine?: number }, corpora: readonly Corpus[]): Found {
  const { text, agentId } = candidate.fact;
  return { ...candidate, text, corpus: corpora.find((corpus) => corpus.agentId === agentId) ?? NO_CORPUS };
}

/**
 * What the best fact must reach before anything is answered, and below which evidence an answer is doubtful: then only
 * the facts with nearly as much as the best are shown. Calibrated on standing facts: docs/retrieval.md.
 */
const FLOOR = { meaning: 0.3, coverage: 0.4, words: 0.62, doubt: 1, fact: 0.5, share: 0.6 };

function evident(ranked: readonly Ranked<Found>[]): Ranked<Found>[] {
  if (!ranked.some(answers)) return [];
  const most = Math.max(...ranked.map(evidence));
  const least = most < FLOOR.doubt ? most * FLOOR.share : FLOOR.fact;
  return ranked.filter((one) => evidence(one) >= least);
}

/** Whether a fact may answer at all. Beside a cosine, likeness tells nothing: some word is like some word in most facts. */
function answers({ coverage, likeness, candidate: { cosine } }: Ranked<Found>): boolean {
  if (cosine) return cosine + FLOOR.coverage * coverage >= FLOOR.meaning;
  return likeness > 0 ? coverage + likeness >= FLOOR.words : coverage > 0;
}

/** How much speaks for a fact whatever the others: words shared, nearness in meaning, likeness word by word; 0 to 3. */
function evidence({ coverage, likeness, candidate: { cosine } }: Ranked<Found>): number {
  const known = likeness > 0 || (cosine ?? 0) > 0;
  // A question in a script the word table does not know has only its words.
  return known ? coverage + Math.max(cosine ?? 0, 0) + likeness : coverage > 0 ? FLOOR.words : 0;
}

/** A total order: score, then newer, then stored later: clocks of several machines may give one time to many facts. */
function best(a: Ranked<Found>, b: Ranked<Found>): number {
  const [x, y] = [a.candidate, b.candidate];
  return b.score - a.score || y.fact.createdAt - x.fact.createdAt || y.sequence - x.sequence;
}

/** The first fact always, the rest while the answer stays readable by every host. */
function within(ranked: readonly Ranked<Found>[]): { kept: readonly Ranked<Found>[]; left: number } {
  let size = 0;
  const end = ranked.findIndex((one, at) => (size += one.candidate.fact.text.length) > ANSWER_LIMIT && at > 0);
  return end < 0 ? { kept: ranked, left: 0 } : { kept: ranked.slice(0, end), left: ranked.length - end };
}

function leftOut(left: number): string | undefined {
  return left === 0
    ? undefined
    : `${left} more left out: one answer holds about ${ANSWER_LIMIT} characters; ask with a smaller top_k or a narrower query`;
}

function toHit({ candidate, score, signals }: Ranked<Found>, explain: boolean, secrets: Policy): Hit {
  const { fact } = candidate;
  return {
    ...fact,
    text: textOut(fact.text, secrets),
    score,
    ...(explain ? { why: signals.filter(({ part }) => part !== 0) } : {}),
  };
}

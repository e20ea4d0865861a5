// Search: terms, candidates, rank, and an answer that explains itself when it is empty.
import { type Fact, type Hit, SHARED } from "../core/model.ts";
import { asksWhen } from "../language/cues.ts";
import type { Candidate, Corpus } from "../store/terms_index.ts";
import { emptiness, type EmptinessParts } from "./emptiness.ts";
import { likenessOf, type LikenessParts } from "./likeness.ts";
import type { SearchRequest, SearchResult } from "./memory.ts";
import { type Asked, rank, type Rankable, type Ranked } from "./rank.ts";
import { corrected, type TypoParts } from "./typos.ts";

export type SearchParts = EmptinessParts & LikenessParts & TypoParts;

const DEFAULT_TOP_K = 8;
/** Facts fetched for their words. */
const CANDIDATES = 80;
/** Characters of fact text in one answer, about 20 000 tokens: hosts cut longer results. */
const ANSWER_LIMIT = 80_000;

export async function search(parts: SearchParts, request: SearchRequest): Promise<SearchResult> {
  const { agentId, query, topK = DEFAULT_TOP_K, includeShared = true } = request;
  const agentIds = includeShared ? [...new Set([agentId, SHARED])] : [agentId];
  const sequence = parts.terms(query);
  const exact = [...new Set(sequence)].map((term) => ({ term, weight: 1 }));
  const { vector, degraded: away } = await parts.meaning?.ofQuery(query) ?? {};
  const find = (asked: readonly Asked[]) =>
    parts.candidates.find({
      scope: { agentIds, since: request.since, until: request.until, asOf: request.asOf },
      terms: asked.map(({ term }) => term),
      limit: CANDIDATES,
      vector,
    });
  const first = await find(exact);
  const asked = await corrected(parts, agentIds, exact, first.corpora);
  const { corpora, candidates } = asked === exact ? first : await find(asked);
  const question = { asked, sequence, asksWhen: asksWhen(query) };
  const found = candidates.map((candidate) => rankable(candidate, corpora));
  const ranked = rank(question, found, likenessOf(parts, query, corpora[0] ?? NO_CORPUS))
    .filter(isEvidence)
    .sort(best);
  const { kept, left } = within(ranked.slice(0, topK));
  const hits = kept.map((one) => toHit(one, request.explain ?? false));
  const degraded = away ?? parts.meaning?.lacking(corpora);
  const note = hits.length === 0 ? await emptiness(parts, request, corpora) : leftOut(left);
  return { hits, ...(note === undefined ? {} : { note }), ...(degraded === undefined ? {} : { degraded: [degraded] }) };
}

type Found = Rankable & { readonly fact: Fact };

const NO_CORPUS = { facts: 0, meanLength: 1, frequencies: new Map<string, number>() };

function rankable(candidate: Candidate & { readonly cosine?: number }, corpora: readonly Corpus[]): Found {
  const { text, agentId } = candidate.fact;
  return { ...candidate, text, corpus: corpora.find((corpus) => corpus.agentId === agentId) ?? NO_CORPUS };
}

/** Below this a fact shares neither words nor meaning with the question. */
const FLOOR = { cosine: 0.2, likeness: 0.2 };

function isEvidence({ coverage, likeness, candidate }: Ranked<Found>): boolean {
  return coverage > 0 || ((candidate.cosine ?? 0) > FLOOR.cosine && likeness > FLOOR.likeness);
}

/** A total order: score, then newer, then id. */
function best(a: Ranked<Found>, b: Ranked<Found>): number {
  const [x, y] = [a.candidate.fact, b.candidate.fact];
  return b.score - a.score || y.createdAt - x.createdAt || (x.factId < y.factId ? -1 : 1);
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

function toHit({ candidate, score, signals }: Ranked<Found>, explain: boolean): Hit {
  return { ...candidate.fact, score, ...(explain ? { why: signals.filter(({ part }) => part !== 0) } : {}) };
}

// Search: terms, candidates, rank, and an answer that explains itself when it is empty.
import { isBlank, quoted } from "../core/text.ts";
import { type Hit, SHARED } from "../core/model.ts";
import { asksWhen, isQuestion, saysWhen, speakerOf } from "../language/cues.ts";
import { distance } from "../language/distance.ts";
import type { Terms } from "../language/terms.ts";
import type { Facts } from "../store/facts.ts";
import type { Candidate, Corpus, TermsIndex } from "../store/terms_index.ts";
import type { SearchRequest, SearchResult } from "./memory.ts";
import { rank, type Rankable, type Ranked } from "./rank.ts";

export interface SearchParts {
  readonly facts: Facts;
  readonly index: TermsIndex;
  readonly terms: Terms;
}

const DEFAULT_TOP_K = 8;
const CANDIDATES = 80;
/** Characters of fact text in one answer, about 20 000 tokens: hosts cut longer results. */
const ANSWER_LIMIT = 80_000;

export async function search(parts: SearchParts, request: SearchRequest): Promise<SearchResult> {
  const { agentId, query, topK = DEFAULT_TOP_K, includeShared = true } = request;
  const agentIds = includeShared ? [...new Set([agentId, SHARED])] : [agentId];
  const sequence = parts.terms(query);
  const asked = [...new Set(sequence)].map((term) => ({ term, weight: 1 }));
  const { corpora, candidates } = await parts.index.find({
    scope: { agentIds, since: request.since, until: request.until, asOf: request.asOf },
    terms: asked.map(({ term }) => term),
    limit: CANDIDATES,
  });
  const question = { asked, sequence, asksWhen: asksWhen(query) };
  const ranked = rank(question, candidates.map((candidate) => rankable(candidate, corpora, parts.terms)))
    .filter(({ coverage }) => coverage > 0)
    .sort(best);
  const { kept, left } = within(ranked.slice(0, topK));
  const hits = kept.map((one) => toHit(one, request.explain ?? false));
  const note = hits.length === 0 ? await emptiness(parts.facts, request, corpora) : leftOut(left);
  return { hits, ...(note === undefined ? {} : { note }) };
}

type Found = Rankable & { readonly candidate: Candidate };

function rankable(candidate: Candidate, corpora: readonly Corpus[], terms: Terms): Found {
  const { text, agentId } = candidate.fact;
  const speaker = speakerOf(text);
  return {
    ...candidate,
    candidate,
    speaker: speaker === undefined ? undefined : terms(speaker)[0],
    saysWhen: saysWhen(text),
    isQuestion: isQuestion(text),
    corpus: corpora.find((corpus) => corpus.agentId === agentId) ?? { facts: 0, meanLength: 1, frequencies: new Map() },
  };
}

/** A total order: score, then newer, then id. */
function best(a: Ranked<Found>, b: Ranked<Found>): number {
  const [x, y] = [a.candidate.candidate.fact, b.candidate.candidate.fact];
  return b.score - a.score || y.createdAt - x.createdAt || (x.factId < y.factId ? -1 : 1);
}

/** The first fact always, the rest while the answer stays readable by every host. */
function within(ranked: readonly Ranked<Found>[]): { kept: readonly Ranked<Found>[]; left: number } {
  let size = 0;
  const end = ranked.findIndex((one, at) =>
    (size += one.candidate.candidate.fact.text.length) > ANSWER_LIMIT && at > 0
  );
  return end < 0 ? { kept: ranked, left: 0 } : { kept: ranked.slice(0, end), left: ranked.length - end };
}

function leftOut(left: number): string | undefined {
  return left === 0
    ? undefined
    : `${left} more left out: one answer holds about ${ANSWER_LIMIT} characters; ask with a smaller top_k or a narrower query`;
}

function toHit({ candidate, score, signals }: Ranked<Found>, explain: boolean): Hit {
  return { ...candidate.candidate.fact, score, ...(explain ? { why: signals.filter(({ part }) => part !== 0) } : {}) };
}

/** Why nothing was found. */
async function emptiness(facts: Facts, { agentId, query }: SearchRequest, corpora: readonly Corpus[]): Promise<string> {
  const held = corpora.reduce((sum, corpus) => sum + corpus.facts, 0);
  if (isBlank(query.replace(/[\p{P}\p{S}]/gu, ""))) return "The query has no word to look for";
  if (held > 0) return `None relevant among ${held}`;
  const near = nearest(agentId, await facts.agents());
  return near === undefined
    ? "No memories yet for this agent"
    : `No memories yet for this agent; did you mean ${quoted(near.agentId)}, which has ${near.facts}?`;
}

/** The agent whose name differs least in spelling, if it is close enough for a slip. */
function nearest(agentId: string, agents: Awaited<ReturnType<Facts["agents"]>>) {
  const plain = (name: string) => name.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  const asked = plain(agentId);
  const limit = asked.length < 5 ? 1 : 2;
  return agents
    .filter((agent) => agent.agentId !== SHARED)
    .map((agent) => ({ ...agent, apart: distance(asked, plain(agent.agentId), limit) }))
    .filter(({ apart }) => apart <= limit)
    .sort((a, b) => a.apart - b.apart || b.facts - a.facts)[0];
}

// How well each candidate answers: one pure function over named signals.
import type { Signal } from "../core/model.ts";

/** Weight of each signal in the sum; the words' own part is 1. Chosen by `scripts/bench/ablation`. */
export const WEIGHTS = {
  words: 1,
  session: 0.1,
  speaker: 0.15,
  time: 0.15,
  phrase: 0.1,
  question: -0.1,
} as const;

/** BM25 saturation and length constants, and what a term of a neighbour counts beside one of the fact's own. */
export const BM25 = { k1: 0.9, b: 0.3, context: 0.35, neighbours: 4 } as const;

/** A word of the query: `weight` below 1 for one that only resembles what was asked. */
export interface Asked {
  readonly term: string;
  readonly weight: number;
}

export interface Question {
  readonly asked: readonly Asked[];
  /** Terms in the order asked, for phrases. */
  readonly sequence: readonly string[];
  readonly asksWhen: boolean;
}

/** What ranking needs of a candidate: see store/terms_index.ts for the strings' shape. */
export interface Rankable {
  readonly terms: string;
  readonly context: string;
  readonly length: number;
  readonly session: number;
  readonly speaker: string | undefined;
  readonly saysWhen: boolean;
  readonly isQuestion: boolean;
  readonly corpus: {
    readonly facts: number;
    readonly meanLength: number;
    readonly frequencies: ReadonlyMap<string, number>;
  };
}

export interface Ranked<T> {
  readonly candidate: T;
  /** 0 to 1. */
  readonly score: number;
  readonly signals: readonly Signal[];
  /** Share of the query's information that the fact's own terms hold, 0 to 1. */
  readonly coverage: number;
}

/** Scores every candidate; the order is the caller's. */
export function rank<T extends Rankable>(question: Question, candidates: readonly T[]): Ranked<T>[] {
  const matches = candidates.map((candidate) => match(question, candidate));
  const mass = massOfSessions(candidates, matches);
  const speaker = soleSpeaker(question, candidates);
  return candidates.map((candidate, at) => {
    const { words, coverage } = matches[at] ?? NO_MATCH;
    const values: Record<keyof typeof WEIGHTS, number> = {
      words,
      session: mass(candidate.session),
      speaker: Number(speaker !== undefined && candidate.speaker === speaker),
      time: Number(question.asksWhen && candidate.saysWhen),
      phrase: phraseShare(question.sequence, candidate.terms),
      question: Number(candidate.isQuestion),
    };
    const signals = SIGNALS.map((signal) => ({
      signal,
      value: round(values[signal]),
      part: round(values[signal] * WEIGHTS[signal] / CEILING),
    }));
    const score = signals.reduce((sum, { part }) => sum + part, 0);
    return { candidate, score: round(Math.min(Math.max(score, 0), 1)), signals, coverage };
  });
}

const SIGNALS = Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[];
const CEILING = Object.values(WEIGHTS).reduce((sum: number, weight) => sum + Math.max(weight, 0), 0);
const NO_MATCH = { words: 0, coverage: 0 };

/**
 * BM25 over the fact's terms with its neighbours' terms mixed in before saturation (BM25F, Robertson and
 * Zaragoza 2009), as a share of what the query's terms are worth together.
 */
function match({ asked }: Question, { terms, context, length, corpus }: Rankable): { words: number; coverage: number } {
  const { facts, meanLength, frequencies } = corpus;
  const own = 1 - BM25.b + BM25.b * length / Math.max(meanLength, 1);
  const around = 1 - BM25.b + BM25.b * spaces(context) / Math.max(meanLength * BM25.neighbours, 1);
  let [sum, covered, worth] = [0, 0, 0];
  for (const { term, weight } of asked) {
    const df = frequencies.get(term) ?? 0;
    const idf = weight * Math.log(1 + (facts - df + 0.5) / (df + 0.5));
    worth += idf;
    const inside = count(terms, term);
    const tf = inside / own + BM25.context * count(context, term) / around;
    if (tf > 0) sum += idf * tf * (BM25.k1 + 1) / (tf + BM25.k1);
    if (inside > 0) covered += idf;
  }
  return worth > 0 ? { words: Math.min(sum / worth, 1), coverage: covered / worth } : NO_MATCH;
}

/** Sessions that answer with several facts are more likely the right conversation. */
function massOfSessions(
  candidates: readonly Rankable[],
  matches: readonly { words: number }[],
): (session: number) => number {
  const mass = new Map<number, number>();
  candidates.forEach(({ session }, at) => mass.set(session, (mass.get(session) ?? 0) + (matches[at]?.words ?? 0)));
  const most = Math.max(...mass.values(), Number.MIN_VALUE);
  return (session) => (mass.get(session) ?? 0) / most;
}

/** The one speaker among the candidates whom the query names, if there is exactly one. */
function soleSpeaker({ asked }: Question, candidates: readonly Rankable[]): string | undefined {
  const speakers = new Set(candidates.flatMap(({ speaker }) => speaker ?? []));
  const named = asked.filter(({ term }) => speakers.has(term));
  return named.length === 1 ? named[0]?.term : undefined;
}

function phraseShare(sequence: readonly string[], terms: string): number {
  const pairs = sequence.length - 1;
  if (pairs < 1) return 0;
  let found = 0;
  for (let at = 0; at < pairs; at++) found += Number(terms.includes(` ${sequence[at]} ${sequence[at + 1]} `));
  return found / pairs;
}

function count(terms: string, term: string): number {
  let found = 0;
  const wanted = ` ${term} `;
  for (let at = terms.indexOf(wanted); at >= 0; at = terms.indexOf(wanted, at + wanted.length - 1)) found++;
  return found;
}

function spaces(terms: string): number {
  let found = -1;
  for (let at = terms.indexOf(" "); at >= 0; at = terms.indexOf(" ", at + 1)) found++;
  return Math.max(found, 0);
}

/** Six digits: the same on every machine, and short on the wire. */
function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

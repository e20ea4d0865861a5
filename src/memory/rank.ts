// How well each candidate answers: one pure function over named signals.
import type { Signal } from "../core/model.ts";
import { isQuestion, saysWhen, speakerOf } from "../language/cues.ts";

/** Weight of each signal in the sum; the words' own part is 1. The ablation is in docs/retrieval.md. */
export const WEIGHTS = {
  words: 1,
  likeness: 0.7,
  meaning: 0.5,
  session: 0.2,
  speaker: 0.3,
  time: 0.3,
  phrase: 0.2,
  question: -0.2,
} as const;

export type Weights = { readonly [Name in keyof typeof WEIGHTS]: number };

/** A sentence model tells paraphrases apart better than the word table does. */
export const MODEL_WEIGHTS: Weights = { ...WEIGHTS, meaning: 1 };

/** As far as no fact holds the question's words, meaning weighs up to this much more, in shares of its weight. */
export const WITHOUT_WORDS: number = 5 / 3;

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
  readonly text: string;
  readonly terms: string;
  readonly context: string;
  readonly length: number;
  readonly session: number;
  /** Cosine to the query, -1 to 1; undefined where there is no vector. */
  readonly cosine?: number | undefined;
  readonly corpus: Corpus;
}

interface Corpus {
  readonly facts: number;
  readonly meanLength: number;
  readonly frequencies: ReadonlyMap<string, number>;
}

export interface Ranked<T> {
  readonly candidate: T;
  /** 0 to 1. */
  readonly score: number;
  readonly signals: readonly Signal[];
  /** Share of the query's information that the fact's own terms hold, 0 to 1. */
  readonly coverage: number;
  /** See memory/likeness.ts; 0 without a word table. */
  readonly likeness: number;
}

/** Candidates that are looked at closely: those that words and meaning put ahead. */
const CLOSE = 40;

/** Scores the candidates that can be in the answer; the order is the caller's. `given`: what each signal counts. */
export function rank<T extends Rankable>(
  question: Question,
  candidates: readonly T[],
  likenessOf: (candidate: T) => number = () => 0,
  given: Weights = WEIGHTS,
): Ranked<T>[] {
  const matched = candidates.map((candidate) => ({ candidate, ...match(question, candidate) }));
  const bestWords = Math.max(0, ...matched.map(({ words }) => words));
  const weights: Weights = { ...given, meaning: given.meaning * (1 + WITHOUT_WORDS * (1 - bestWords)) };
  const ceiling = ceilingOf(given);
  const rough = ({ candidate, words }: { candidate: T; words: number }) =>
    words + weights.meaning * (candidate.cosine ?? 0);
  const close = matched.sort((a, b) => rough(b) - rough(a)).slice(0, CLOSE);
  const meaning = beside(Math.max(FAINT, ...matched.map(({ candidate }) => candidate.cosine ?? 0)));
  const mass = massOfSessions(matched);
  const speaker = soleSpeaker(question, close.map(({ candidate }) => candidate));
  return close.map(({ candidate, words, coverage }) => {
    const likeness = likenessOf(candidate);
    const values: Record<keyof typeof WEIGHTS, number> = {
      words,
      likeness,
      meaning: meaning(candidate.cosine ?? 0),
      session: mass(candidate.session),
      speaker: Number(speaker !== undefined && speakerTerm(candidate) === speaker),
      time: Number(question.asksWhen && saysWhen(candidate.text)),
      phrase: phraseShare(question.sequence, candidate.terms),
      question: Number(isQuestion(candidate.text)),
    };
    const signals = SIGNALS.map((signal) => ({
      signal,
      value: round(values[signal]),
      part: round(values[signal] * weights[signal] / ceiling),
    }));
    const score = signals.reduce((sum, { part }) => sum + part, 0);
    return { candidate, score: round(Math.min(Math.max(score, 0), 1)), signals, coverage, likeness };
  });
}

const SIGNALS = Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[];

/** The most that a sum can be. */
function ceilingOf(weights: Weights): number {
  return Object.values(weights).reduce((sum, weight) => sum + Math.max(weight, 0), 0) + weights.meaning * WITHOUT_WORDS;
}

const NO_MATCH = { words: 0, coverage: 0 };

/**
 * BM25 over the fact's terms with its neighbours' terms mixed in before saturation (BM25F, Robertson and
 * Zaragoza 2009), as a share of what the query's terms are worth together.
 */
function match({ asked }: Question, { terms, context, length, corpus }: Rankable): { words: number; coverage: number } {
  const held = asked.map(({ term, weight }) => ({
    term,
    idf: weight * inverseFrequency(corpus, term),
    inside: count(terms, term),
  }));
  const covered = held.reduce((sum, { idf, inside }) => sum + (inside > 0 ? idf : 0), 0);
  // Neighbours support a fact that answers by itself; alone they are no evidence.
  if (covered === 0) return NO_MATCH;
  const own = 1 - BM25.b + BM25.b * length / Math.max(corpus.meanLength, 1);
  const around = 1 - BM25.b + BM25.b * spaces(context) / Math.max(corpus.meanLength * BM25.neighbours, 1);
  let [sum, worth] = [0, 0];
  for (const { term, idf, inside } of held) {
    worth += idf;
    const tf = inside / own + BM25.context * count(context, term) / around;
    if (tf > 0) sum += idf * tf * (BM25.k1 + 1) / (tf + BM25.k1);
  }
  return { words: Math.min(sum / worth, 1), coverage: covered / worth };
}

/** A cosine below this is chance: being the best of such is worth nothing. */
const FAINT = 0.3;

/** A cosine, and its share of the best one, in equal parts: some questions are far from every fact. */
function beside(best: number): (cosine: number) => number {
  return (cosine) => (cosine + cosine / best) / 2;
}

/** What a term tells: much where few facts hold it. Never negative. */
export function inverseFrequency(
  { facts, frequencies }: Pick<Rankable["corpus"], "facts" | "frequencies">,
  term: string,
): number {
  const df = frequencies.get(term) ?? 0;
  return Math.log(1 + (Math.max(facts, df) - df + 0.5) / (df + 0.5));
}

/** Sessions that answer with several facts are more likely the right conversation. */
function massOfSessions(
  matched: readonly { readonly candidate: Rankable; readonly words: number }[],
): (session: number) => number {
  const mass = new Map<number, number>();
  for (const { candidate: { session }, words } of matched) mass.set(session, (mass.get(session) ?? 0) + words);
  const most = Math.max(...mass.values(), Number.MIN_VALUE);
  return (session) => (mass.get(session) ?? 0) / most;
}

/** The one speaker among the candidates whom the query names, if there is exactly one. */
function soleSpeaker({ asked }: Question, candidates: readonly Rankable[]): string | undefined {
  const speakers = new Set(candidates.map(speakerTerm));
  const named = asked.filter(({ term }) => speakers.has(term));
  return named.length === 1 ? named[0]?.term : undefined;
}

/** The first term of a fact told as `Name: text`. */
function speakerTerm({ text, terms }: Rankable): string | undefined {
  return speakerOf(text) === undefined ? undefined : terms.split(" ", 2)[1];
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

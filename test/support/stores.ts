// Stores as tests open them: settings, a fact with the fields that a test does not care for, and the index recounted.
import { newId } from "../../src/core/ids.ts";
import type { Config } from "../../src/core/config.ts";
import { type Database, type Row, sql } from "../../src/store/database.ts";
import type { NewFact } from "../../src/store/facts.ts";
import { openDatabase } from "../../src/store/store.ts";
import { temporaryStore } from "./temporary.ts";

/** Where new stores are, and what is between a test and its database: files and nothing, unless a suite says otherwise. */
interface Ground {
  readonly store: () => Promise<Partial<Config>>;
  readonly around?: (database: Database) => Database;
  /** The share of random cases that is worth its time here. */
  readonly share?: number;
}

let ground: Ground = { store: () => Promise.resolve({}) };

/** Runs what follows on other ground. */
export function standOn(other: Ground): void {
  ground = other;
}

export function effort(cases: number): number {
  return Math.ceil(cases * (ground.share ?? 1));
}

/** The settings of a store that nobody has opened yet; on a server it is the only one. */
export async function newStore(over: Partial<Config> = {}): Promise<Config> {
  return settings({ ...await ground.store(), ...over });
}

export async function newDatabase(config?: Config): Promise<Database> {
  const database = await openDatabase(config ?? await newStore());
  return ground.around?.(database) ?? database;
}

export function settings(over: Partial<Config> = {}): Config {
  return { store: temporaryStore(), durability: "normal", busyTimeout: 2000, ...over };
}

/** Its terms are its words in lower case, without punctuation, as the index asks for. */
export function newFact(text: string, over: Partial<NewFact> = {}): NewFact {
  const terms = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return {
    factId: newId(),
    agentId: "a",
    session: "s",
    text,
    terms,
    confidence: "inferred",
    told: undefined,
    now: 1000,
    ...over,
  };
}

export async function rows(database: Database, text: string, ...args: (string | number)[]): Promise<readonly Row[]> {
  return (await database.read([sql(text, ...args)]))[0] ?? [];
}

/** What the index holds of these agents, beside what their facts say it should hold: two equal values. */
export async function recount(
  database: Database,
  names: readonly string[],
): Promise<{ held: unknown; right: unknown }> {
  const among = JSON.stringify(names);
  const where = "aid IN (SELECT aid FROM agents WHERE name IN (SELECT value FROM json_each(?1)))";
  const [agents, facts, terms] = [
    await rows(database, `SELECT aid, facts, length, changes FROM agents WHERE ${where} ORDER BY aid`, among),
    await rows(database, `SELECT * FROM facts WHERE ${where} ORDER BY id`, among),
    await rows(database, `SELECT aid, term, df FROM terms WHERE ${where} ORDER BY aid, term`, among),
  ];
  const live = facts.filter((fact) => fact["retired_at"] === null);
  const dictionary = [...new Set(facts.flatMap(split))].sort();
  const holding = (some: readonly Row[], aid: unknown, term: string) =>
    some.filter((fact) => fact["aid"] === aid && split(fact).includes(term));
  const tokens = agents.flatMap(({ aid }) =>
    dictionary.flatMap((term) => [{ letter: "a", aid, term }, { letter: "r", aid, term }])
  );
  const found = await database.read(
    tokens.map(({ letter, aid, term }) =>
      sql("SELECT rowid FROM fts WHERE fts MATCH ?1 ORDER BY rowid", `"${letter}${aid}z${term}"`)
    ),
  );
  return {
    held: {
      agents,
      terms,
      postings: tokens.map((token, at) => ({ ...token, ids: (found[at] ?? []).map((row) => row["rowid"]) })),
      contexts: live.map((fact) => [fact["id"], words(fact["context"]).sort()]),
    },
    right: {
      agents: agents.map(({ aid }) => {
        const own = facts.filter((fact) => fact["aid"] === aid);
        const alive = own.filter((fact) => fact["retired_at"] === null);
        const length = alive.reduce((sum, fact) => sum + words(fact["terms"]).length, 0);
        return { aid, facts: alive.length, length, changes: own.length + (own.length - alive.length) };
      }),
      terms: agents.flatMap(({ aid }) =>
        dictionary.map((term) => ({ aid, term, df: holding(live, aid, term).length })).filter(({ df }) => df > 0)
      ),
      postings: tokens.map((token) => ({
        ...token,
        ids: holding(token.letter === "a" ? live : facts.filter((fact) => !live.includes(fact)), token.aid, token.term)
          .map((fact) => fact["id"]),
      })),
      contexts: live.map((fact) => [fact["id"], neighbours(fact, live).flatMap(told).sort()]),
    },
  };
}

/** Two live facts of the same session before it, two after it. */
function neighbours(fact: Row, live: readonly Row[]): readonly Row[] {
  const session = live.filter((one) => one["sid"] === fact["sid"]);
  const at = session.indexOf(fact);
  return [...session.slice(Math.max(at - 2, 0), at), ...session.slice(at + 1, at + 3)];
}

/** What a neighbour's context holds of a fact: its first 400 characters of terms. */
function told(fact: Row): string[] {
  return words(String(fact["terms"]).slice(0, 400));
}

function split(fact: Row): string[] {
  return [...new Set(words(fact["terms"]))];
}

function words(column: unknown): string[] {
  return String(column).split(" ").filter((word) => word !== "");
}

// The index of terms: which facts may answer a query, with what ranking needs to know of them.
import type { Fact } from "../core/model.ts";
import { type Results, type Row, sql, type Statement, type Value } from "./database.ts";
import { decodeFact } from "./facts.ts";

/** A fact that may answer. `terms` and `context` (those of its session neighbours): a space before and after each term. */
export interface Candidate {
  readonly fact: Fact;
  /** Order of storing: a higher one is newer. */
  readonly sequence: number;
  readonly session: number;
  readonly terms: string;
  readonly context: string;
  /** Number of its own terms. */
  readonly length: number;
}

/** One agent's share of the index. */
export interface Corpus {
  readonly agentId: string;
  readonly facts: number;
  /** Mean number of terms in a fact. */
  readonly meanLength: number;
  /** Live facts that hold each of the asked terms. */
  readonly frequencies: ReadonlyMap<string, number>;
}

/** Which facts a search may see. Times in milliseconds; without `asOf` only live facts. */
export interface Scope {
  readonly agentIds: readonly string[];
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly asOf?: number | undefined;
}

export interface Query {
  readonly scope: Scope;
  readonly terms: readonly string[];
  /** Most facts to fetch for their terms. */
  readonly limit: number;
  /** Facts to fetch whatever their terms, by sequence. */
  readonly also?: readonly number[];
}

export interface Found {
  readonly corpora: readonly Corpus[];
  readonly candidates: readonly Candidate[];
}

/** Postings that a query may walk in one agent, rarest terms first: bm25 costs over a microsecond for each. */
const POSTINGS = 1000;
/** Agents up to this many facts have their whole dictionary searched for parts of compounds. */
const COMPOUNDS = 20_000;
/** Facts whose neighbours in the session become candidates too. */
const CENTRES = 10;

const CORPORA = `SELECT name, facts, length FROM agents WHERE name IN (SELECT value FROM json_each(?1))`;
const FREQUENCIES =
  `SELECT a.name, t.term, t.df FROM agents a CROSS JOIN json_each(?2) q CROSS JOIN terms t ON t.aid = a.aid AND t.term = q.value
  WHERE a.name IN (SELECT value FROM json_each(?1))`;

const asked = (letters: string) =>
  `WITH asked AS (
    SELECT a.aid, q.value AS term, coalesce(t.df, 0) AS df FROM agents a CROSS JOIN json_each(?2) q
    LEFT JOIN terms t ON t.aid = a.aid AND t.term = q.value WHERE a.name IN (SELECT value FROM json_each(?1))),
  kept AS (SELECT aid, term FROM (SELECT aid, term, df, row_number() OVER w AS rank, sum(df) OVER w AS total FROM asked
    WINDOW w AS (PARTITION BY aid ORDER BY df, term ROWS UNBOUNDED PRECEDING))
    WHERE rank = 1 OR total <= ${POSTINGS} OR (rank = 2 AND df <= ${2 * POSTINGS}))
  SELECT coalesce(group_concat('"' || l.value || aid || 'z' || term || '"', ' OR '), '""') FROM kept JOIN json_each('${letters}') l`;

const neighbours = (step: string, order: string) =>
  `SELECT n.id FROM best b JOIN facts m ON m.id = b.id CROSS JOIN facts n ON n.id IN (SELECT o.id FROM facts o
    WHERE o.sid = m.sid AND o.retired_at IS NULL AND o.id ${step} m.id ORDER BY o.id ${order} LIMIT 2) WHERE b.place <= ${CENTRES}`;

/** The best by their own words; the neighbours of the very best, since facts told together answer together; and `also`. */
const columns = (best: string, within: string) =>
  `WITH best AS MATERIALIZED (SELECT id, row_number() OVER () AS place FROM (${best} ORDER BY bm25(fts) LIMIT ?3))
  SELECT a.name, f.id, f.fact_id, f.sid, f.created_at, f.retired_at, f.superseded_by, f.confidence, f.pinned, f.length, f.text, f.terms, f.context
  FROM facts f JOIN agents a ON a.aid = f.aid WHERE f.id IN (SELECT id FROM best UNION ${neighbours("<", "DESC")} UNION
    ${
    neighbours(">", "ASC")
  } UNION SELECT value FROM json_each(?4)) AND a.name IN (SELECT value FROM json_each(?1)) AND ${within}`;

const LIVE = columns(`SELECT rowid AS id FROM fts WHERE fts MATCH (${asked('["a"]')})`, "f.retired_at IS NULL");
const told = (fact: string) =>
  `${fact}.created_at >= ?5 AND ${fact}.created_at <= ?6 AND (${fact}.retired_at IS NULL OR ${fact}.retired_at > ?7)`;
const WITHIN = columns(
  `SELECT fts.rowid AS id FROM fts JOIN facts g ON g.id = fts.rowid WHERE fts MATCH (${asked('["a","r"]')}) AND ${
    told("g")
  }`,
  told("f"),
);

/** The dictionary near the unknown terms: same first letter and about the same length, or one within the other. */
const NEARBY =
  `SELECT q.value AS unknown, t.term, sum(t.df) AS facts FROM agents a CROSS JOIN json_each(?2) q CROSS JOIN terms t ON t.aid = a.aid
  AND t.term >= substr(q.value, 1, 1) AND t.term < substr(q.value, 1, 1) || char(1114111) AND abs(length(t.term) - length(q.value)) <= 2
  WHERE a.name IN (SELECT value FROM json_each(?1)) GROUP BY 1, 2
  UNION SELECT q.value, t.term, t.df FROM agents a CROSS JOIN json_each(?2) q CROSS JOIN terms t ON t.aid = a.aid
  AND (instr(t.term, q.value) > 0 OR (instr(q.value, t.term) > 0 AND length(t.term) >= 4))
  WHERE a.name IN (SELECT value FROM json_each(?1)) AND a.facts <= ${COMPOUNDS}`;

export function nearbyStatement(agentIds: readonly string[], unknown: readonly string[]): Statement {
  return sql(NEARBY, JSON.stringify(agentIds), JSON.stringify(unknown));
}

/** Three statements on one snapshot, and what their rows mean. */
export function findStatements({ scope, terms, limit, also = [] }: Query): readonly Statement[] {
  const agents = JSON.stringify(scope.agentIds);
  const query = JSON.stringify(terms);
  return [
    sql(CORPORA, agents),
    sql(FREQUENCIES, agents, query),
    best(scope, [agents, query, limit, JSON.stringify(also)]),
  ];
}

export function decodeFound([corpora = [], frequencies = [], rows = []]: Results): Found {
  return { corpora: corpora.map((row) => corpus(row, frequencies)), candidates: rows.map(candidate) };
}

function best({ since, until, asOf }: Scope, args: readonly Value[]): Statement {
  if (since === undefined && until === undefined && asOf === undefined) return sql(LIVE, ...args);
  const last = Math.min(until ?? Number.MAX_SAFE_INTEGER, asOf ?? Number.MAX_SAFE_INTEGER);
  return sql(WITHIN, ...args, since ?? Number.MIN_SAFE_INTEGER, last, asOf ?? Number.MAX_SAFE_INTEGER);
}

function corpus(row: Row, frequencies: readonly Row[]): Corpus {
  const facts = Number(row["facts"]);
  const own = frequencies.filter((one) => one["name"] === row["name"]);
  return {
    agentId: String(row["name"]),
    facts,
    meanLength: Number(row["length"]) / Math.max(facts, 1),
    frequencies: new Map(own.map((one) => [String(one["term"]), Number(one["df"])])),
  };
}

function candidate(row: Row): Candidate {
  return {
    fact: decodeFact(row),
    sequence: Number(row["id"]),
    session: Number(row["sid"]),
    terms: `${row["terms"]} `,
    context: `${row["context"]} `,
    length: Number(row["length"]),
  };
}

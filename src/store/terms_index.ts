// The index of terms: which facts may answer a query, with what ranking needs to know of them.
import type { Fact } from "../core/model.ts";
import { type Database, type Row, sql, type Statement } from "./database.ts";
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
  readonly limit: number;
}

export interface TermsIndex {
  /** One read: the corpora of the agents in scope, and the facts that best match the terms. */
  find(query: Query): Promise<{ readonly corpora: readonly Corpus[]; readonly candidates: readonly Candidate[] }>;
}

/** Postings that a query may walk in one agent, rarest terms first: bm25 costs over a microsecond for each. */
const POSTINGS = 1200;
/** Facts whose neighbours become candidates too. */
const CENTRES = 30;

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

const neighbour = (step: string, order: string) =>
  `SELECT n.id FROM best b JOIN facts m ON m.id = b.id
  JOIN facts n ON n.id IN (SELECT o.id FROM facts o WHERE o.sid = m.sid AND o.retired_at IS NULL AND o.id ${step} m.id ORDER BY o.id ${order} LIMIT 2)
  WHERE b.place <= ${CENTRES}`;

/** The best by their own terms, and the neighbours of the very best: told together, they may answer together. */
const columns = (found: string, neighbours: string) =>
  `WITH best AS MATERIALIZED (SELECT id, row_number() OVER () AS place FROM (${found}))
  SELECT a.name, f.id, f.fact_id, f.sid, f.created_at, f.retired_at, f.superseded_by, f.confidence, f.pinned, f.length, f.text, f.terms, f.context
  FROM facts f JOIN agents a ON a.aid = f.aid WHERE f.id IN (SELECT id FROM best${neighbours})`;

const BEST = "ORDER BY bm25(fts) LIMIT ?3";
const LIVE = columns(
  `SELECT rowid AS id FROM fts WHERE fts MATCH (${asked('["a"]')}) ${BEST}`,
  ` UNION ${neighbour("<", "DESC")} UNION ${neighbour(">", "ASC")}`,
);
const WITHIN = columns(
  `SELECT fts.rowid AS id FROM fts JOIN facts g ON g.id = fts.rowid WHERE fts MATCH (${asked('["a","r"]')})
  AND g.created_at >= ?4 AND g.created_at <= ?5 AND (g.retired_at IS NULL OR g.retired_at > ?6) ${BEST}`,
  "",
);

export function openTermsIndex(database: Database): TermsIndex {
  return {
    async find({ scope, terms, limit }) {
      const agents = JSON.stringify(scope.agentIds);
      const query = JSON.stringify(terms);
      const [corpora = [], frequencies = [], rows = []] = await database.read([
        sql(CORPORA, agents),
        sql(FREQUENCIES, agents, query),
        best(scope, agents, query, limit),
      ]);
      return { corpora: corpora.map((row) => corpus(row, frequencies)), candidates: rows.map(candidate) };
    },
  };
}

function best({ since, until, asOf }: Scope, agents: string, query: string, limit: number): Statement {
  if (since === undefined && until === undefined && asOf === undefined) return sql(LIVE, agents, query, limit);
  const last = Math.min(until ?? Number.MAX_SAFE_INTEGER, asOf ?? Number.MAX_SAFE_INTEGER);
  return sql(WITHIN, agents, query, limit, since ?? Number.MIN_SAFE_INTEGER, last, asOf ?? Number.MAX_SAFE_INTEGER);
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

// Facts read without a search: lists with filters, a fact's history, and what each agent holds.
import type { Confidence, Fact } from "../core/model.ts";
import { type Database, type Row, sql, type Value } from "./database.ts";
import { decodeFact } from "./facts.ts";

/** All filters together; times in milliseconds since 1970. */
export interface ListQuery {
  readonly agentIds: readonly string[];
  readonly retired?: boolean | undefined;
  readonly pinned?: boolean | undefined;
  readonly confidence?: Confidence | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly holding?: string | undefined;
  readonly order?: "newest" | "weight" | undefined;
  readonly limit: number;
  readonly offset?: number | undefined;
}

export interface AgentSummary {
  readonly agentId: string;
  /** Live ones. */
  readonly facts: number;
  readonly retired: number;
  /** Those the agent saved. */
  readonly checkpoints: number;
  /** When something was last told or saved. */
  readonly lastAt: number | undefined;
}

export interface Listing {
  list(query: ListQuery): Promise<{ readonly facts: readonly Fact[]; readonly total: number }>;
  /** The fact with this id, what it replaced and what replaced it, oldest first; empty where there is none. */
  history(factId: string): Promise<readonly Fact[]>;
  /** The agent's facts retired last; several where one call retired them. */
  lastRetired(agentId: string): Promise<readonly Fact[]>;
  agents(): Promise<readonly AgentSummary[]>;
  /** How many facts were told on each of the last days, oldest first, today last. */
  growth(days: number, now: number): Promise<readonly number[]>;
  /** In the texts of all live facts. */
  characters(): Promise<number>;
  /** Live facts of all agents. */
  count(): Promise<number>;
}

const COLUMNS =
  "f.fact_id, a.name, f.text, f.created_at, f.confidence, f.pinned, f.retired_at, f.superseded_by FROM facts f JOIN agents a ON a.aid = f.aid";
const ORDERS = {
  newest: "f.created_at DESC, f.id DESC",
  weight: "f.pinned DESC, f.confidence = 'verified' DESC, f.confidence = 'unverified', f.created_at DESC, f.id DESC",
};
/** Chosen first by what the index `facts_told` holds, so that only the facts of one page are read in full. */
const list = (passes: string, order: keyof typeof ORDERS, filled: number) =>
  `SELECT ${COLUMNS} WHERE f.id IN (SELECT f.id FROM facts f WHERE ${passes} ORDER BY ${ORDERS[order]} LIMIT ?${
    filled + 1
  } OFFSET ?${filled + 2}) ORDER BY ${ORDERS[order]}`;
const count = (passes: string) => `SELECT count(*) AS n FROM facts f WHERE ${passes}`;
const HISTORY = `WITH RECURSIVE
  older (fact_id) AS (SELECT ?1 UNION SELECT f.fact_id FROM facts f JOIN older o ON f.superseded_by = o.fact_id),
  newer (fact_id) AS (SELECT ?1 UNION SELECT f.superseded_by FROM facts f JOIN newer n ON f.fact_id = n.fact_id
    WHERE f.superseded_by IS NOT NULL)
  SELECT ${COLUMNS} WHERE f.fact_id IN (SELECT fact_id FROM older UNION SELECT fact_id FROM newer)
  ORDER BY f.created_at, f.id`;
const LAST_RETIRED = `SELECT ${COLUMNS} WHERE a.name = ?1 AND f.changed =
  (SELECT r.changed FROM facts r WHERE r.aid = a.aid AND r.retired_at IS NOT NULL ORDER BY r.changed DESC LIMIT 1)
  AND f.retired_at IS NOT NULL ORDER BY f.id`;
const AGENTS = `SELECT a.name, a.facts,
  (SELECT count(*) FROM facts f WHERE f.aid = a.aid AND f.retired_at IS NOT NULL) AS retired,
  (SELECT count(*) FROM checkpoints c WHERE c.aid = a.aid AND c.kind = 'own') AS checkpoints,
  max(coalesce((SELECT max(f.created_at) FROM facts f WHERE f.aid = a.aid), 0),
    coalesce((SELECT max(c.created_at) FROM checkpoints c WHERE c.aid = a.aid), 0)) AS last_at
  FROM agents a ORDER BY last_at DESC, a.name`;

const COUNT = "SELECT sum(facts) AS n FROM agents";
const CHARACTERS = "SELECT coalesce(sum(length(text)), 0) AS n FROM facts WHERE retired_at IS NULL";
const DAY = 24 * 60 * 60 * 1000;
const GROWTH =
  `SELECT created_at / ${DAY} AS day, count(*) AS n FROM facts WHERE created_at >= ?1 * ${DAY} GROUP BY day`;

export function openListing(database: Database): Listing {
  const number = async (query: string) => Number((await database.read([sql(query)]))[0]?.[0]?.["n"] ?? 0);
  const facts = async (text: string, ...args: Value[]) =>
    ((await database.read([sql(text, ...args)]))[0] ?? []).map(decodeFact);
  return {
    async list(query) {
      const { order = "newest", limit, offset = 0 } = query;
      const { passes, args } = filter(query);
      const [rows = [], [row] = []] = await database.read([
        sql(list(passes, order, args.length), ...args, limit, offset),
        sql(count(passes), ...args),
      ]);
      return { facts: rows.map(decodeFact), total: Number(row?.["n"] ?? 0) };
    },
    history: (factId) => facts(HISTORY, factId),
    lastRetired: (agentId) => facts(LAST_RETIRED, agentId),
    async agents() {
      const [rows = []] = await database.read([sql(AGENTS)]);
      return rows.map(summary);
    },
    async growth(days, now) {
      const today = Math.floor(now / DAY);
      const [rows = []] = await database.read([sql(GROWTH, today - days + 1)]);
      const told = new Map(rows.map((row) => [Number(row["day"]), Number(row["n"])]));
      return Array.from({ length: days }, (_, at) => told.get(today - days + 1 + at) ?? 0);
    },
    characters: () => number(CHARACTERS),
    count: () => number(COUNT),
  };
}

/** Only the conditions that are asked for: each other one would keep the index from being enough, and a server counts values. */
function filter({ agentIds, retired = false, pinned, confidence, since, until, holding }: ListQuery) {
  const args: Value[] = [JSON.stringify(agentIds)];
  const passes = [
    "f.aid IN (SELECT aid FROM agents WHERE name IN (SELECT value FROM json_each(?1)))",
    ...(retired ? [] : ["f.retired_at IS NULL"]),
  ];
  const ask = (value: Value | undefined, condition: (place: string) => string) => {
    if (value !== undefined) passes.push(condition(`?${args.push(value)}`));
  };
  ask(pinned === undefined ? undefined : Number(pinned), (pinned) => `f.pinned = ${pinned}`);
  ask(confidence, (confidence) => `f.confidence = ${confidence}`);
  ask(since, (since) => `f.created_at >= ${since}`);
  ask(until, (until) => `f.created_at <= ${until}`);
  ask(holding, (holding) => `instr(lower(f.text), lower(${holding})) > 0`);
  return { passes: passes.join(" AND "), args };
}

function summary(row: Row): AgentSummary {
  const lastAt = Number(row["last_at"]);
  return {
    agentId: String(row["name"]),
    facts: Number(row["facts"]),
    retired: Number(row["retired"]),
    checkpoints: Number(row["checkpoints"]),
    lastAt: lastAt > 0 ? lastAt : undefined,
  };
}

// Facts in SQL: told, retired, pinned, and fetched as candidates for a search.
import { createHash } from "node:crypto";
import { type Confidence, CONFIDENCES, type Fact } from "../core/model.ts";
import { MemoryError } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import { type Database, type Row, sql, type Statement } from "./database.ts";
import { type Model, vectorOf } from "./vectors.ts";

/** A fact to store. `terms` as the index holds them; `told` undefined means now. */
export interface NewFact {
  readonly factId: string;
  readonly agentId: string;
  readonly session: string;
  readonly text: string;
  readonly terms: readonly string[];
  readonly confidence: Confidence;
  readonly told: number | undefined;
  readonly now: number;
  /** Stored with the fact where it is at hand. */
  readonly vector?: { readonly model: Model; readonly cells: Int8Array } | undefined;
}

/** The live facts of one agent that have this exact text, or this id. */
export interface Target {
  readonly agentId: string;
  readonly target: string;
}

export interface Facts {
  /** Id of the fact that now holds the text, and whether it was there before. */
  add(fact: NewFact): Promise<{ readonly factId: string; readonly duplicate: boolean }>;
  /** Stores the new fact and retires every match in its favour, or does nothing where none matches. */
  update(fact: NewFact, target: string): Promise<{ readonly factId: string; readonly retired: readonly string[] }>;
  /** Ids of the facts that the operation retired: none where nothing matches. */
  retire(
    target: Target & { readonly now: number; readonly operation?: string | undefined },
  ): Promise<readonly string[]>;
  /** What became of a retired fact: the fact that holds in its place, or nothing does. Undefined where none was retired. */
  fate(target: Target): Promise<{ readonly heir?: { readonly factId: string; readonly text: string } } | undefined>;
  pin(target: Target & { readonly pinned: boolean }): Promise<readonly string[]>;
  /** Agents that hold live facts, most first. */
  agents(): Promise<readonly { readonly agentId: string; readonly facts: number }[]>;
}

/** The fact just told, or the live one of the agent that has its text: the same when asked again, whatever came between. */
const HOLDER = `SELECT fact_id FROM facts WHERE fact_id = ?3
  UNION ALL SELECT fact_id FROM facts WHERE aid = (SELECT aid FROM agents WHERE name = ?1) AND digest = ?2 AND retired_at IS NULL LIMIT 1`;

const ADD_AGENT = "INSERT INTO agents (name) SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM agents WHERE name = ?1)";
const ADD_SESSION = `INSERT INTO sessions (aid, name) SELECT aid, ?2 FROM agents a WHERE name = ?1
  AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.aid = a.aid AND s.name = ?2)`;
/** ?10 is the time it was told, or null for now (?11): clocks that go back do not reorder what is told. */
const ADD_FACT = `INSERT INTO facts (fact_id, aid, sid, changed, created_at, confidence, digest, length, text, terms)
  SELECT ?3, a.aid, s.sid, a.changes + 1, coalesce(?10, max(?11, a.clock)), ?4, ?5, ?6, ?7, ?8
  FROM agents a JOIN sessions s ON s.aid = a.aid AND s.name = ?2
  WHERE a.name = ?1 AND NOT EXISTS (SELECT 1 FROM facts f WHERE f.fact_id = ?3)
    AND NOT EXISTS (SELECT 1 FROM facts f WHERE f.aid = a.aid AND f.digest = ?5 AND f.retired_at IS NULL)
    AND (?9 = 0 OR EXISTS (SELECT 1 FROM facts f WHERE f.superseded_by = ?3))`;
const SET_CLOCK = "UPDATE agents SET clock = max(clock, ?2) WHERE name = ?1";

const MATCHES = `aid = (SELECT aid FROM agents WHERE name = ?1) AND retired_at IS NULL
  AND (fact_id = ?2 OR (digest = ?3 AND text = ?2))`;
/** ?5 is the id of the operation: done once, it does nothing more. */
const RETIRED = `changed = (SELECT changes + 1 FROM agents WHERE name = ?1), retired_by = ?5,
  retired_at = max(?4, created_at, (SELECT clock FROM agents WHERE name = ?1))`;
const ONCE = "NOT EXISTS (SELECT 1 FROM facts WHERE retired_by = ?5)";
const RETIRE = `UPDATE facts SET ${RETIRED} WHERE ${MATCHES} AND ${ONCE}`;
const RETIRED_BY = "SELECT fact_id, superseded_by FROM facts WHERE retired_by = ?1 ORDER BY id";
/** Where another live fact has the new text already, the old one points to that. */
const SUPERSEDE = `UPDATE facts SET ${RETIRED},
    superseded_by = coalesce((SELECT o.fact_id FROM facts o WHERE o.aid = facts.aid AND o.digest = ?6 AND o.retired_at IS NULL
      AND o.fact_id <> ?2 AND NOT (o.digest = ?3 AND o.text = ?2)), ?5)
  WHERE ${MATCHES} AND ${ONCE}`;
const KEEP_PIN =
  `UPDATE facts SET pinned = 1 WHERE aid = (SELECT aid FROM agents WHERE name = ?1) AND digest = ?2 AND retired_at IS NULL
  AND EXISTS (SELECT 1 FROM facts o WHERE o.superseded_by = facts.fact_id AND o.pinned = 1)`;
const PIN = `UPDATE facts SET pinned = ?4 WHERE ${MATCHES} RETURNING fact_id`;
/** From the retired fact along what superseded it, to the last. */
const FATE = `WITH RECURSIVE line (fact_id, step) AS (
  SELECT * FROM (SELECT fact_id, 0 FROM facts WHERE aid = (SELECT aid FROM agents WHERE name = ?1) AND retired_at IS NOT NULL
    AND (fact_id = ?2 OR (digest = ?3 AND text = ?2)) ORDER BY retired_at DESC, id DESC LIMIT 1)
  UNION SELECT f.superseded_by, step + 1 FROM line JOIN facts f USING (fact_id) WHERE f.superseded_by IS NOT NULL AND step < 1000)
  SELECT f.fact_id, f.text, f.retired_at FROM line JOIN facts f USING (fact_id) ORDER BY step DESC LIMIT 1`;
const AGENTS = "SELECT name, facts FROM agents WHERE facts > 0 ORDER BY facts DESC, name";

export function openFacts(database: Database): Facts {
  return {
    async add(fact) {
      const digest = digestOf(fact.text);
      const results = await database.write([
        ...addition(fact, digest, false),
        sql(HOLDER, fact.agentId, digest, fact.factId),
      ]);
      const factId = String(results.at(-1)?.[0]?.["fact_id"]);
      return { factId, duplicate: factId !== fact.factId };
    },
    async update(fact, target) {
      const digest = digestOf(fact.text);
      const results = await database.write([
        sql(SUPERSEDE, fact.agentId, target, digestOf(target), fact.now, fact.factId, digest),
        ...addition(fact, digest, true),
        sql(KEEP_PIN, fact.agentId, digest),
        sql(RETIRED_BY, fact.factId),
      ]);
      const retired = results.at(-1) ?? [];
      return { factId: String(retired[0]?.["superseded_by"] ?? ""), retired: ids(retired) };
    },
    async retire({ agentId, target, now, operation = newId() }) {
      const results = await database.write([
        sql(RETIRE, agentId, target, digestOf(target), now, operation),
        sql(RETIRED_BY, operation),
      ]);
      return ids(results.at(-1) ?? []);
    },
    async fate({ agentId, target }) {
      const [[last] = []] = await database.read([sql(FATE, agentId, target, digestOf(target))]);
      if (!last) return undefined;
      return last["retired_at"] === null
        ? { heir: { factId: String(last["fact_id"]), text: String(last["text"]) } }
        : {};
    },
    async pin({ agentId, target, pinned }) {
      const [rows = []] = await database.write([sql(PIN, agentId, target, digestOf(target), Number(pinned))]);
      return ids(rows);
    },
    async agents() {
      const [rows = []] = await database.read([sql(AGENTS)]);
      return rows.map((row) => ({ agentId: String(row["name"]), facts: Number(row["facts"]) }));
    },
  };
}

/** `replaces`: only together with a fact that was just retired in its favour. */
function addition(fact: NewFact, digest: string, replaces: boolean): Statement[] {
  const terms = fact.terms.map((term) => ` ${term}`).join("");
  return [
    sql(ADD_AGENT, fact.agentId),
    sql(ADD_SESSION, fact.agentId, fact.session),
    sql(
      ADD_FACT,
      fact.agentId,
      fact.session,
      fact.factId,
      fact.confidence,
      digest,
      fact.terms.length,
      fact.text,
      terms,
      Number(replaces),
      fact.told ?? null,
      fact.now,
    ),
    ...(fact.told === undefined ? [sql(SET_CLOCK, fact.agentId, fact.now)] : []),
    ...(fact.vector ? vectorOf(fact.factId, fact.vector.model, fact.vector.cells) : []),
  ];
}

/** Texts that differ only in Unicode form or white space have one digest. */
function digestOf(text: string): string {
  const folded = text.normalize("NFC").replace(/\s+/gu, " ").trim();
  return createHash("sha256").update(folded).digest("base64url").slice(0, 32);
}

/** @throws MemoryError record_undecodable, naming the fact. */
export function decodeFact(row: Row): Fact {
  const confidence = CONFIDENCES.find((one) => one === row["confidence"]);
  const { fact_id: factId, name: agentId, text, created_at: createdAt } = row;
  if (
    typeof factId !== "string" || typeof agentId !== "string" || typeof text !== "string" ||
    typeof createdAt !== "number" || !confidence
  ) {
    throw new MemoryError("record_undecodable", `Cannot read fact "${String(factId)}": its record is damaged`, {
      hint: "Restore the store from a backup, or forget the fact by its id",
    });
  }
  return {
    factId,
    agentId,
    text,
    createdAt,
    confidence,
    pinned: row["pinned"] === 1,
    ...(typeof row["retired_at"] === "number" ? { retiredAt: row["retired_at"] } : {}),
    ...(typeof row["superseded_by"] === "string" ? { supersededBy: row["superseded_by"] } : {}),
  };
}

function ids(rows: readonly Row[]): string[] {
  return rows.map((row) => String(row["fact_id"]));
}

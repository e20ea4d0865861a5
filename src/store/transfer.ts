// Everything a store holds, taken in pages into another one; doing it again adds what is new and changes nothing else.
import { createHash } from "node:crypto";
import { type Database, type Row, sql, type Statement } from "./database.ts";

export interface Progress {
  readonly part: string;
  readonly done: number;
  readonly total: number;
}

/** What became of one kind of thing. */
export interface Copied {
  readonly part: string;
  /** As many as the source holds. */
  readonly total: number;
  readonly added: number;
  /** Known already, and retired, pinned or unpinned since. */
  readonly changed: number;
  /** Live in the source, retired in the target: by another there, or for a fact of the same text that it had already. */
  readonly retiredThere: number;
  /** Not in the target as they are in the source. */
  readonly differing: number;
  /** Of what never changes of the source's things, as the target was found to hold it. */
  readonly checksum: string;
}

/** One kind of thing, named by natural keys: a row's local numbers mean nothing elsewhere. */
interface Part {
  readonly name: string;
  readonly count: string;
  /** Rows after local key ?1, in order: `k` is the key, `id` what the thing is known by everywhere. */
  readonly page: string;
  /** Columns that never change: what a checksum is made of. */
  readonly fixed: readonly string[];
  /** Those of the ids in ?1 that are there, with their state; where absent, putting twice is cheap enough. */
  readonly have?: string;
  /** Stores the rows in ?1 that are not there yet. */
  readonly put: readonly string[];
  /** Brings the rows in ?1 that are there already to their state. */
  readonly change?: readonly string[];
}

/** Rows and characters in one request: bounded by what a server sends and takes. */
const PAGE = { rows: 1000, size: 2_000_000 };

const bounded = (rows: string, size: string) =>
  `SELECT * FROM (SELECT *, row_number() OVER w AS place, sum(${size}) OVER w AS total
    FROM (${rows} ORDER BY k LIMIT ${PAGE.rows}) WINDOW w AS (ORDER BY k ROWS UNBOUNDED PRECEDING))
  WHERE place = 1 OR total <= ${PAGE.size}`;

const of = (column: string) => `(r.value ->> '${column}')`;
const AGENT = `JOIN agents a ON a.name = ${of("agent")}`;
const ADD_AGENTS = `INSERT INTO agents (name) SELECT DISTINCT ${of("agent")} FROM json_each(?1) r
  WHERE NOT EXISTS (SELECT 1 FROM agents WHERE name = ${of("agent")})`;
const ADD_SESSIONS = `INSERT INTO sessions (aid, name) SELECT DISTINCT a.aid, ${
  of("session")
} FROM json_each(?1) r CROSS ${AGENT}
  WHERE NOT EXISTS (SELECT 1 FROM sessions s WHERE s.aid = a.aid AND s.name = ${of("session")})`;
/** The target's own live fact of the same text: the copied one is then retired in its favour. */
const RIVAL = `FROM facts o WHERE o.aid = a.aid AND o.digest = ${of("digest")} AND o.retired_at IS NULL`;

const FACTS: Part = {
  name: "facts",
  count: "SELECT count(*) AS n FROM facts",
  page: bounded(
    `SELECT f.id AS k, f.fact_id AS id, a.name AS agent, s.name AS session, f.created_at, f.retired_at, f.superseded_by, f.retired_by,
      f.confidence, f.pinned, f.digest, f.length, f.text, f.terms, f.context
      FROM facts f JOIN agents a USING (aid) JOIN sessions s USING (sid) WHERE f.id > ?1`,
    "length(text) + length(terms) + length(context)",
  ),
  fixed: ["id", "agent", "session", "created_at", "confidence", "digest", "text", "terms"],
  have: "SELECT fact_id AS id, retired_at, pinned FROM facts WHERE fact_id IN (SELECT value FROM json_each(?1))",
  change: [
    `UPDATE facts SET changed = (SELECT changes + 1 FROM agents WHERE aid = facts.aid), retired_at = ${
      of("retired_at")
    },
      superseded_by = ${of("superseded_by")}, retired_by = ${of("retired_by")}
      FROM json_each(?1) r WHERE fact_id = ${of("id")} AND facts.retired_at IS NULL AND ${
      of("retired_at")
    } IS NOT NULL`,
    `UPDATE facts SET pinned = ${of("pinned")} FROM json_each(?1) r WHERE fact_id = ${of("id")} AND facts.pinned <> ${
      of("pinned")
    }`,
  ],
  put: [
    ADD_AGENTS,
    ADD_SESSIONS,
    `INSERT INTO facts (fact_id, aid, sid, changed, created_at, retired_at, superseded_by, retired_by, confidence, pinned, digest, length,
      text, terms, context)
    SELECT ${of("id")}, a.aid, s.sid, a.changes + 1, ${of("created_at")},
      coalesce(${of("retired_at")}, (SELECT max(o.created_at, ${of("created_at")}) ${RIVAL})),
      CASE WHEN ${of("retired_at")} IS NULL THEN (SELECT o.fact_id ${RIVAL}) ELSE ${of("superseded_by")} END, ${
      of("retired_by")
    },
      ${["confidence", "pinned", "digest", "length", "text", "terms", "context"].map(of).join(", ")}
    FROM json_each(?1) r CROSS ${AGENT} JOIN sessions s ON s.aid = a.aid AND s.name = ${of("session")}
    WHERE NOT EXISTS (SELECT 1 FROM facts f WHERE f.fact_id = ${of("id")}) ORDER BY r.key`,
  ],
};

const CHECKPOINTS: Part = {
  name: "checkpoints",
  count: "SELECT count(*) AS n FROM checkpoints",
  page: bounded(
    `SELECT c.id AS k, c.checkpoint_id AS id, a.name AS agent, c.created_at, c.kind, c.label, c.state,
        c.messages, c.message_count FROM checkpoints c JOIN agents a USING (aid) WHERE c.id > ?1`,
    "coalesce(length(state), 0) + coalesce(length(messages), 0)",
  ),
  fixed: ["id", "agent", "created_at", "kind", "label", "state", "messages", "message_count"],
  have: "SELECT checkpoint_id AS id FROM checkpoints WHERE checkpoint_id IN (SELECT value FROM json_each(?1))",
  put: [
    ADD_AGENTS,
    `INSERT INTO checkpoints (checkpoint_id, aid, created_at, kind, label, state, messages, message_count)
    SELECT ${of("id")}, a.aid, ${
      ["created_at", "kind", "label", "state", "messages", "message_count"].map(of).join(", ")
    }
    FROM json_each(?1) r CROSS ${AGENT}
    WHERE NOT EXISTS (SELECT 1 FROM checkpoints c WHERE c.checkpoint_id = ${of("id")}) ORDER BY r.key`,
  ],
};

const ADD_ENTITIES = (column: string) =>
  `INSERT INTO entities (aid, name) SELECT DISTINCT a.aid, ${of(column)} FROM json_each(?1) r CROSS ${AGENT}
  WHERE NOT EXISTS (SELECT 1 FROM entities e WHERE e.aid = a.aid AND e.name = ${of(column)})`;

const PARTS: readonly Part[] = [
  {
    name: "agents",
    count: "SELECT count(*) AS n FROM agents",
    page: bounded("SELECT aid AS k, name AS id, name AS agent, clock FROM agents WHERE aid > ?1", "1"),
    fixed: ["id"],
    put: [
      ADD_AGENTS,
      `UPDATE agents SET clock = max(clock, ${of("clock")}) FROM json_each(?1) r WHERE agents.name = ${of("agent")}`,
    ],
  },
  {
    name: "sessions",
    count: "SELECT count(*) AS n FROM sessions",
    page: bounded(
      "SELECT s.sid AS k, s.name AS id, a.name AS agent, s.name AS session FROM sessions s JOIN agents a USING (aid) WHERE s.sid > ?1",
      "1",
    ),
    fixed: ["agent", "session"],
    put: [ADD_AGENTS, ADD_SESSIONS],
  },
  FACTS,
  CHECKPOINTS,
  {
    name: "entities",
    count: "SELECT count(*) AS n FROM entities",
    page: bounded(
      "SELECT e.eid AS k, e.name AS id, a.name AS agent, e.name AS entity FROM entities e JOIN agents a USING (aid) WHERE e.eid > ?1",
      "1",
    ),
    fixed: ["agent", "entity"],
    put: [ADD_AGENTS, ADD_ENTITIES("entity")],
  },
  {
    name: "links",
    count: "SELECT count(*) AS n FROM links",
    // A link has no number of its own: those of one source come in one page.
    page:
      `SELECT l.source AS k, l.relation AS id, a.name AS agent, s.name AS source, l.relation, t.name AS target, l.created_at
      FROM links l JOIN agents a USING (aid) JOIN entities s ON s.eid = l.source JOIN entities t ON t.eid = l.target
      WHERE l.source IN (SELECT DISTINCT source FROM links WHERE source > ?1 ORDER BY source LIMIT 100) ORDER BY l.source`,
    fixed: ["agent", "source", "relation", "target"],
    put: [
      `INSERT INTO links (aid, source, relation, target, created_at) SELECT a.aid, s.eid, ${of("relation")}, t.eid, ${
        of("created_at")
      }
      FROM json_each(?1) r CROSS ${AGENT} JOIN entities s ON s.aid = a.aid AND s.name = ${of("source")}
      JOIN entities t ON t.aid = a.aid AND t.name = ${of("target")} WHERE true ON CONFLICT DO NOTHING`,
    ],
  },
];

/** Copies and then compares. The source is only read; what the target holds besides stays, and what it has retired stays so. */
export async function copyStore(
  from: Database,
  to: Database,
  progress: (progress: Progress) => void,
): Promise<readonly Copied[]> {
  const put: { part: Part; total: number; added: number; changed: number }[] = [];
  for (const part of PARTS) put.push({ part, ...await copyPart(part, from, to, progress) });
  await copyVectors(from, to, progress);
  const copied: Copied[] = [];
  for (const { part, ...counts } of put) {
    copied.push({ part: part.name, ...counts, ...await compare(part, from, to, progress) });
  }
  return copied;
}

async function copyPart(part: Part, from: Database, to: Database, progress: (progress: Progress) => void) {
  const total = await countOf(part, from);
  const counts = { total, added: 0, changed: 0 };
  let done = 0;
  for await (const rows of pages(part, from)) {
    const known = new Map((part.have ? await ask(to, sql(part.have, JSON.stringify(rows.map(({ id }) => id)))) : [])
      .map((row) => [row["id"], row]));
    const missing = rows.filter(({ id }) => !known.has(id));
    const changed = rows.filter((row) => differs(row, known.get(row["id"])));
    const statements = [
      ...changed.length > 0 ? (part.change ?? []).map((text) => sql(text, JSON.stringify(changed))) : [],
      ...missing.length > 0 ? part.put.map((text) => sql(text, JSON.stringify(missing))) : [],
    ];
    if (statements.length > 0) await to.write(statements);
    counts.added += part.have ? missing.length : 0;
    counts.changed += changed.length;
    done += rows.length;
    progress({ part: part.name, done, total });
  }
  return counts;
}

/** A retirement is never undone, a pin is. */
function differs(row: Row, known: Row | undefined): boolean {
  if (!known) return false;
  return (row["retired_at"] !== null && known["retired_at"] === null) || row["pinned"] !== known["pinned"];
}

async function* pages({ page }: Part, database: Database): AsyncGenerator<readonly Row[]> {
  for (let after = 0;;) {
    const rows = await ask(database, sql(page, after));
    if (rows.length === 0) return;
    yield rows;
    after = Number(rows.at(-1)?.["k"]);
  }
}

const WIDTHS =
  "SELECT m.name, length(v.vector) AS width, count(*) AS n FROM vectors v JOIN models m USING (mid) GROUP BY 1, 2";
const VECTORS =
  `SELECT v.id AS k, f.fact_id AS id, v.vector FROM vectors v JOIN facts f USING (id) JOIN models m USING (mid)
  WHERE v.id > ?1 AND m.name = ?2 AND length(v.vector) = ?3 ORDER BY v.id LIMIT ?4`;
const LACKING =
  `SELECT f.fact_id AS id FROM facts f WHERE f.fact_id IN (SELECT value FROM json_each(?1)) AND f.retired_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.id = f.id)`;
const ADD_MODEL = "INSERT INTO models (name, dimensions) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
const COUNT_CHANGES =
  "UPDATE agents SET changes = changes + 1 WHERE aid IN (SELECT f.aid FROM json_each(?1) r CROSS JOIN facts f ON f.fact_id = r.value)";
const PUT_VECTORS =
  `INSERT INTO vectors (id, aid, changed, mid, vector) SELECT f.id, f.aid, a.changes, m.mid, substr(?2, r.key * ?4 + 1, ?4)
  FROM json_each(?1) r CROSS JOIN facts f ON f.fact_id = r.value JOIN agents a USING (aid) JOIN models m ON m.name = ?3
  WHERE f.retired_at IS NULL AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.id = f.id)`;

/** So that they need not be made again; a fact that has one already keeps it. */
async function copyVectors(from: Database, to: Database, progress: (progress: Progress) => void): Promise<void> {
  for (const { name, width, n } of await ask(from, sql(WIDTHS))) {
    const [model, dimensions, total] = [String(name), Number(width), Number(n)];
    const limit = Math.max(1, Math.floor(PAGE.size / Math.max(dimensions, PAGE.size / PAGE.rows)));
    for (let after = 0, done = 0; done < total;) {
      const rows = await ask(from, sql(VECTORS, after, model, dimensions, limit));
      if (rows.length === 0) break;
      const lacking = new Set(
        (await ask(to, sql(LACKING, JSON.stringify(rows.map(({ id }) => id))))).map(({ id }) => id),
      );
      const taken = rows.filter(({ id }) => lacking.has(id));
      if (taken.length > 0) {
        const bytes = new Uint8Array(taken.length * dimensions);
        taken.forEach(({ vector }, at) =>
          bytes.set(new Uint8Array(vector as ArrayBuffer | Uint8Array), at * dimensions)
        ); // a BLOB column
        const ids = JSON.stringify(taken.map(({ id }) => id));
        await to.write([
          sql(ADD_MODEL, model, dimensions),
          sql(COUNT_CHANGES, ids),
          sql(PUT_VECTORS, ids, bytes, model, dimensions),
        ]);
      }
      after = Number(rows.at(-1)?.["k"]);
      done += rows.length;
      progress({ part: `vectors of ${model}`, done, total });
    }
  }
}

/** Whether each of the source's things is in the target, by all that never changes, and no live fact was retired only there. */
async function compare(part: Part, from: Database, to: Database, progress: (progress: Progress) => void) {
  const total = await countOf(part, from) + await countOf(part, to);
  let done = 0;
  const read = async (database: Database) => {
    const found = new Map<string, boolean>();
    for await (const rows of pages(part, database)) {
      for (const row of rows) found.set(printOf(part, row), row["retired_at"] == null);
      done += rows.length;
      progress({ part: `comparing ${part.name}`, done, total });
    }
    return found;
  };
  const [source, target] = [await read(from), await read(to)];
  const arrived = [...source].filter(([print, live]) => target.has(print) && (live || target.get(print) === false));
  const retiredThere = arrived.filter(([print, live]) => live && target.get(print) === false).length;
  const checksum = createHash("sha256").update(arrived.map(([print]) => print).sort().join("\n")).digest("hex");
  return { retiredThere, differing: source.size - arrived.length, checksum };
}

function printOf({ fixed }: Part, row: Row): string {
  return createHash("sha256").update(JSON.stringify(fixed.map((column) => row[column]))).digest("base64url");
}

async function countOf({ count }: Part, database: Database): Promise<number> {
  return Number((await ask(database, sql(count)))[0]?.["n"]);
}

async function ask(database: Database, statement: Statement): Promise<readonly Row[]> {
  return (await database.read([statement]))[0] ?? [];
}

// Vectors in SQL and in memory: made once a fact, cached per agent, brought up to date by every read.
import { type Database, type Row, sql, type Statement } from "./database.ts";
import { Matrix } from "./matrix.ts";

export interface Model {
  readonly id: string;
  /** Undefined until the first vector was made, where only the model's host knows. */
  readonly dimensions: number | undefined;
}

export interface Unembedded {
  readonly sequence: number;
  readonly text: string;
}

/** A place in the history of an agent: everything up to change `changed`, and of that one up to fact `id`. */
interface Cursor {
  readonly changed: number;
  readonly id: number;
}

/** What is asked to bring caches up to date: a statement an agent, and from where on it asks. */
export interface News {
  readonly statements: readonly Statement[];
  readonly agents: readonly { readonly agentId: string; readonly since: Cursor }[];
}

export interface Vectors {
  /** What has changed since each agent's cache was last brought up to date: a page of it, where that is much. */
  news(agentIds: readonly string[]): News;
  /** Takes the rows of the statements of `news`. `fresh`: a vector is new; `more`: there was more than a page. */
  apply(news: News, rows: readonly (readonly Row[])[]): { readonly fresh: boolean; readonly more: boolean };
  nearest(agentIds: readonly string[], query: Float32Array, limit: number): readonly number[];
  cosine(sequence: number, query: Float32Array): number | undefined;
  /** How many facts of an agent have a vector, as far as the cache knows. */
  count(agentId: string): number;
  /** Live facts after a sequence that have no vector of this model and width, oldest first. */
  missing(after: number, limit: number): Promise<readonly Unembedded[]>;
  save(vectors: readonly { readonly sequence: number; readonly vector: Int8Array }[]): Promise<void>;
}

/** Vectors of all agents that stay in memory; beyond, the agents asked longest ago are dropped. */
const CACHED = 300_000;

/** Bytes of vectors in one answer: servers refuse to send much more than twice that. */
const PAGE = 3_000_000;
/** Beside the vector, as a server sends it. */
const ROW = 100;
/** In place of a fact's id: the end of what there is. */
const END = Number.MAX_SAFE_INTEGER;
const START: Cursor = { changed: 0, id: END };

const NEWS = `SELECT v.changed, v.id, v.vector FROM vectors v WHERE v.aid = (SELECT aid FROM agents WHERE name = ?1)
    AND (v.changed, v.id) > (?2, ?3) AND v.mid = (SELECT mid FROM models WHERE name = ?4)
  UNION ALL SELECT f.changed, f.id, NULL FROM facts f WHERE ?2 > 0 AND f.aid = (SELECT aid FROM agents WHERE name = ?1)
    AND (f.changed, f.id) > (?2, ?3) AND f.retired_at IS NOT NULL
  UNION ALL SELECT changes, ${END}, NULL FROM agents WHERE name = ?1 ORDER BY 1, 2 LIMIT ?5`;
const MISSING = `SELECT f.id, f.text FROM facts f LEFT JOIN vectors v ON v.id = f.id
  WHERE f.id > ?2 AND f.retired_at IS NULL AND (v.id IS NULL OR v.mid IS NOT (SELECT mid FROM models WHERE name = ?1)
    OR length(v.vector) <> ?4) ORDER BY f.id LIMIT ?3`;
const ADD_MODEL =
  "INSERT INTO models (name, dimensions) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET dimensions = ?2 WHERE dimensions <> ?2";
const COUNT_CHANGE = "UPDATE agents SET changes = changes + 1 WHERE aid = (SELECT aid FROM facts WHERE id = ?1)";
const SAVE = `INSERT OR REPLACE INTO vectors (id, aid, changed, mid, vector) SELECT f.id, f.aid, a.changes, m.mid, ?3
  FROM facts f JOIN agents a ON a.aid = f.aid JOIN models m ON m.name = ?2 WHERE f.id = ?1 AND f.retired_at IS NULL`;

export function openVectors(database: Database, model: Model): Vectors {
  const caches = new Map<string, { matrix: Matrix; at: Cursor }>();
  const cacheOf = (agentId: string) => {
    // Whoever comes here has a question's vector: the width is known.
    const cache = caches.get(agentId) ?? { matrix: new Matrix(model.dimensions ?? 0), at: START };
    caches.delete(agentId);
    caches.set(agentId, cache);
    return cache;
  };
  const shrink = (keep: readonly string[]) => {
    let total = 0;
    for (const { matrix } of caches.values()) total += matrix.size;
    for (const [agentId, { matrix }] of caches) {
      if (total <= CACHED) return;
      if (keep.includes(agentId)) continue;
      caches.delete(agentId);
      total -= matrix.size;
    }
  };
  return {
    news(agentIds) {
      const agents = agentIds.map((agentId) => ({ agentId, since: cacheOf(agentId).at }));
      const limit = Math.ceil(PAGE / ((model.dimensions ?? 0) + ROW));
      const statements = agents.map(({ agentId, since }) =>
        sql(NEWS, agentId, since.changed, since.id, model.id, limit)
      );
      return { statements, agents };
    },
    apply({ agents }, rows) {
      let fresh = false;
      let more = false;
      for (const [place, { agentId, since }] of agents.entries()) {
        const cache = cacheOf(agentId);
        const page = (rows[place] ?? []).map((row) => ({
          at: { changed: Number(row["changed"]), id: Number(row["id"]) },
          cells: cellsOf(row["vector"]),
        }));
        const end = page.at(-1)?.at ?? since;
        if (isBefore(end, since)) { // another store is in its place: from the start, then
          caches.delete(agentId);
          more = true;
          continue;
        }
        // Answers may come in another order than they were asked for, and a cache may have been dropped in between.
        if (!isBefore(cache.at, since) && !isBefore(end, cache.at)) {
          for (const { at, cells } of page) {
            if (cells && cells.length === model.dimensions) cache.matrix.set(at.id, cells);
            else cache.matrix.delete(at.id);
            fresh ||= cells !== undefined;
          }
          cache.at = end;
        }
        more ||= cache.at.id !== END;
      }
      shrink(agents.map(({ agentId }) => agentId));
      return { fresh, more };
    },
    nearest: (agentIds, query, limit) => agentIds.flatMap((agentId) => cacheOf(agentId).matrix.nearest(query, limit)),
    cosine(sequence, query) {
      for (const { matrix } of caches.values()) {
        const cosine = matrix.cosine(sequence, query);
        if (cosine !== undefined) return cosine;
      }
      return undefined;
    },
    count: (agentId) => caches.get(agentId)?.matrix.size ?? 0,
    async missing(after, limit) {
      const [rows = []] = await database.read([sql(MISSING, model.id, after, limit, model.dimensions ?? null)]);
      return rows.map((row) => ({ sequence: Number(row["id"]), text: String(row["text"]) }));
    },
    async save(vectors) {
      await database.write([
        sql(ADD_MODEL, model.id, vectors[0]?.vector.length ?? 0),
        ...vectors.flatMap((
          { sequence, vector },
        ) => [sql(COUNT_CHANGE, sequence), sql(SAVE, sequence, model.id, bytesOf(vector))]),
      ]);
    },
  };
}

/** Statements that store the vector of a fact told in the same batch. */
export function vectorOf(factId: string, model: Model, vector: Int8Array): readonly Statement[] {
  return [sql(ADD_MODEL, model.id, vector.length), sql(SAVE_NEW, factId, model.id, bytesOf(vector))];
}

const SAVE_NEW = `INSERT INTO vectors (id, aid, changed, mid, vector) SELECT f.id, f.aid, f.changed, m.mid, ?3
  FROM facts f JOIN models m ON m.name = ?2 WHERE f.fact_id = ?1 AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.id = f.id)`;

function isBefore(a: Cursor, b: Cursor): boolean {
  return a.changed < b.changed || (a.changed === b.changed && a.id < b.id);
}

function bytesOf(vector: Int8Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** The driver gives a blob as a Buffer or as an ArrayBuffer. */
function cellsOf(blob: unknown): Int8Array | undefined {
  if (blob instanceof ArrayBuffer) return new Int8Array(blob);
  return blob instanceof Uint8Array ? new Int8Array(blob.buffer, blob.byteOffset, blob.byteLength) : undefined;
}

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

export interface Vectors {
  /** One statement an agent: what has changed since its cache was last brought up to date. */
  news(agentIds: readonly string[]): readonly Statement[];
  /** Takes the rows of `news` and each agent's number of changes in the same snapshot. Whether a vector is new. */
  apply(agentIds: readonly string[], rows: readonly (readonly Row[])[], changes: ReadonlyMap<string, number>): boolean;
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

const NEWS =
  `SELECT v.id, v.vector FROM vectors v WHERE v.aid = (SELECT aid FROM agents WHERE name = ?1) AND v.changed > ?2
    AND v.mid = (SELECT mid FROM models WHERE name = ?3)
  UNION ALL SELECT f.id, NULL FROM facts f WHERE ?2 > 0 AND f.aid = (SELECT aid FROM agents WHERE name = ?1) AND f.changed > ?2
    AND f.retired_at IS NOT NULL`;
const MISSING = `SELECT f.id, f.text FROM facts f LEFT JOIN vectors v ON v.id = f.id
  WHERE f.id > ?2 AND f.retired_at IS NULL AND (v.id IS NULL OR v.mid IS NOT (SELECT mid FROM models WHERE name = ?1)
    OR length(v.vector) <> ?4) ORDER BY f.id LIMIT ?3`;
const ADD_MODEL =
  "INSERT INTO models (name, dimensions) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET dimensions = ?2 WHERE dimensions <> ?2";
const COUNT_CHANGE = "UPDATE agents SET changes = changes + 1 WHERE aid = (SELECT aid FROM facts WHERE id = ?1)";
const SAVE = `INSERT OR REPLACE INTO vectors (id, aid, changed, mid, vector) SELECT f.id, f.aid, a.changes, m.mid, ?3
  FROM facts f JOIN agents a ON a.aid = f.aid JOIN models m ON m.name = ?2 WHERE f.id = ?1 AND f.retired_at IS NULL`;

export function openVectors(database: Database, model: Model): Vectors {
  const caches = new Map<string, { matrix: Matrix; changes: number }>();
  const cacheOf = (agentId: string) => {
    // Whoever comes here has a question's vector: the width is known.
    const cache = caches.get(agentId) ?? { matrix: new Matrix(model.dimensions ?? 0), changes: 0 };
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
    news: (agentIds) => agentIds.map((agentId) => sql(NEWS, agentId, cacheOf(agentId).changes, model.id)),
    apply(agentIds, rows, changes) {
      let fresh = false;
      agentIds.forEach((agentId, at) => {
        const cache = cacheOf(agentId);
        for (const { id, vector } of rows[at] ?? []) {
          const cells = cellsOf(vector);
          if (cells && cells.length === model.dimensions) cache.matrix.set(Number(id), cells);
          else cache.matrix.delete(Number(id));
          fresh ||= cells !== undefined;
        }
        cache.changes = changes.get(agentId) ?? 0;
      });
      shrink(agentIds);
      return fresh;
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

function bytesOf(vector: Int8Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** The driver gives a blob as a Buffer or as an ArrayBuffer. */
function cellsOf(blob: unknown): Int8Array | undefined {
  if (blob instanceof ArrayBuffer) return new Int8Array(blob);
  return blob instanceof Uint8Array ? new Int8Array(blob.buffer, blob.byteOffset, blob.byteLength) : undefined;
}

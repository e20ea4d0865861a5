// Whether a store is sound: its pages, its index beside its facts, and the room it has.
import { existsSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Config } from "../core/config.ts";
import { type Row, sql, type Statement } from "./database.ts";
import { REINDEX, SCHEMA_VERSION } from "./schema.ts";
import { openDatabase } from "./store.ts";

export interface Health {
  readonly schema: { readonly found: number; readonly known: number };
  /** What SQLite's own check says, `ok` where all is well; a server keeps its own pages sound. */
  readonly integrity: string | undefined;
  /** Agents whose counts or whose index do not agree with their facts. */
  readonly outOfStep: readonly string[];
  /** Live facts. */
  readonly facts: number;
  /** When something was last told, milliseconds since 1970. */
  readonly lastTold: number | undefined;
  /** In bytes, of a store in a file. */
  readonly file: { readonly size: number; readonly log: number; readonly free: number } | undefined;
}

const CHECKS: readonly Statement[] = [
  sql("SELECT user_version FROM pragma_user_version"),
  sql(
    `SELECT a.name FROM agents a WHERE a.facts <> (SELECT count(*) FROM facts f WHERE f.aid = a.aid AND f.retired_at IS NULL)
    OR (SELECT count(*) FROM facts f WHERE f.aid = a.aid)
      <> (SELECT count(*) FROM facts f JOIN fts_docsize d ON d.id = f.id WHERE f.aid = a.aid)
    OR (SELECT coalesce(sum(t.df), 0) FROM terms t WHERE t.aid = a.aid) < a.facts * (a.length > 0)
    ORDER BY a.name`,
  ),
  sql("SELECT count(*) AS facts, max(created_at) AS last FROM facts WHERE retired_at IS NULL"),
];

const PAGES = sql("PRAGMA quick_check(1)");

/** Opens the store, which brings an older one up to date. @throws MemoryError with a `store_…` code. */
export async function examine(config: Config): Promise<Health> {
  const database = await openDatabase(config);
  try {
    const statements = config.server ? CHECKS : [...CHECKS, PAGES];
    const [[version] = [], apart = [], [told] = [], [check] = []] = await database.read(statements);
    return {
      schema: { found: Number(first(version)), known: SCHEMA_VERSION },
      integrity: config.server ? undefined : String(first(check)),
      outOfStep: apart.map((row) => String(row["name"])),
      facts: Number(told?.["facts"] ?? 0),
      lastTold: typeof told?.["last"] === "number" ? told["last"] : undefined,
      file: room(config),
    };
  } finally {
    await database.close();
  }
}

/** Makes the index and the counts anew from the facts. */
export async function reindex(config: Config): Promise<void> {
  const database = await openDatabase(config);
  try {
    await database.write(REINDEX.map((text) => sql(text)));
  } finally {
    await database.close();
  }
}

/** Bytes of the store's file and of its log; a server does not tell. */
export function sizes({ store, server }: Config): { readonly store: number; readonly log: number } | undefined {
  return server ? undefined : { store: bytes(store), log: bytes(`${store}-wal`) };
}

/** Whether there is a store at all: looking must not make one. */
export function storeExists({ store, server }: Config): boolean {
  return server !== undefined || existsSync(store);
}

function first(row: Row | undefined): unknown {
  return Object.values(row ?? {})[0];
}

function bytes(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function room(config: Config): Health["file"] {
  const found = sizes(config);
  return found && { size: found.store, log: found.log, free: free(config.store) };
}

function free(path: string): number {
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize;
}

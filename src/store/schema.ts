// The shape of the store, as numbered steps that are only ever appended to.
import { closeSync, existsSync, openSync, renameSync } from "node:fs";
import type Libsql from "libsql";
import { MemoryError } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import { fault } from "./faults.ts";

/** "HOLD", in the header of every store of ours. */
const APPLICATION_ID = 0x484f4c44;

/** The two live facts of session S before and after fact X. */
const before = (S: string, X: string, column: string) =>
  `SELECT ${column} FROM (SELECT n.id, n.terms FROM facts n WHERE n.sid = ${S} AND n.retired_at IS NULL AND n.id < ${X} ORDER BY n.id DESC LIMIT 2)`;
const after = (S: string, X: string, column: string) =>
  `SELECT ${column} FROM (SELECT n.id, n.terms FROM facts n WHERE n.sid = ${S} AND n.retired_at IS NULL AND n.id > ${X} ORDER BY n.id LIMIT 2)`;
const near = (S: string, X: string, column = "id") => `${before(S, X, column)} UNION ALL ${after(S, X, column)}`;

const splitTerms = (terms: string) => `json_each('["' || replace(trim(${terms}), ' ', '","') || '"]')`;
const prefixed = (terms: string, letter = "a") => `replace(${terms}, ' ', ' ${letter}' || aid || 'z')`;

/** The terms of the neighbours in the session, of each fact in `ids`. */
const recall = (ids: string) =>
  `UPDATE facts
  SET context = (SELECT coalesce(group_concat(substr(terms, 1, 400), ''), '') FROM (${
    near("facts.sid", "facts.id", "terms")
  }))
  WHERE id IN (${ids});`;

const FIRST = [
  `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID`,
  // facts, length: live facts and the terms in them; changes: how often its facts changed; clock: latest time given to one
  `CREATE TABLE agents (aid INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, facts INTEGER NOT NULL DEFAULT 0,
    length INTEGER NOT NULL DEFAULT 0, changes INTEGER NOT NULL DEFAULT 0, clock INTEGER NOT NULL DEFAULT 0) STRICT`,
  `CREATE TABLE sessions (sid INTEGER PRIMARY KEY, aid INTEGER NOT NULL REFERENCES agents, name TEXT NOT NULL, UNIQUE (aid, name)) STRICT`,
  // changed: the agent's `changes` after this fact's last change; terms, context: each term with a space before it
  `CREATE TABLE facts (id INTEGER PRIMARY KEY, fact_id TEXT NOT NULL UNIQUE, aid INTEGER NOT NULL REFERENCES agents,
    sid INTEGER NOT NULL REFERENCES sessions, changed INTEGER NOT NULL, created_at INTEGER NOT NULL, retired_at INTEGER,
    superseded_by TEXT, confidence TEXT NOT NULL, pinned INTEGER NOT NULL DEFAULT 0, digest TEXT NOT NULL, length INTEGER NOT NULL,
    text TEXT NOT NULL, terms TEXT NOT NULL, context TEXT NOT NULL DEFAULT '') STRICT`,
  `CREATE UNIQUE INDEX facts_live ON facts (aid, digest) WHERE retired_at IS NULL`,
  `CREATE INDEX facts_session ON facts (sid, id) WHERE retired_at IS NULL`,
  `CREATE INDEX facts_changed ON facts (aid, changed)`,
  `CREATE TABLE terms (aid INTEGER NOT NULL, term TEXT NOT NULL, df INTEGER NOT NULL, PRIMARY KEY (aid, term)) STRICT, WITHOUT ROWID`,
  `CREATE VIRTUAL TABLE fts USING fts5 (t, content = '', contentless_delete = 1, tokenize = 'ascii')`,
  `CREATE TRIGGER fact_added AFTER INSERT ON facts WHEN NEW.retired_at IS NULL BEGIN
    UPDATE agents SET facts = facts + 1, length = length + NEW.length, changes = changes + 1 WHERE aid = NEW.aid;
    INSERT INTO terms (aid, term, df) SELECT DISTINCT NEW.aid, value, 1 FROM ${
    splitTerms("NEW.terms")
  } WHERE value <> ''
      ON CONFLICT DO UPDATE SET df = df + 1;
    INSERT INTO fts (rowid, t) SELECT id, ${prefixed("terms")} FROM facts WHERE id = NEW.id;
    ${recall(`SELECT NEW.id UNION ALL ${near("NEW.sid", "NEW.id")}`)}
  END`,
  `CREATE TRIGGER fact_retired AFTER UPDATE OF retired_at ON facts WHEN OLD.retired_at IS NULL AND NEW.retired_at IS NOT NULL BEGIN
    UPDATE agents SET facts = facts - 1, length = length - NEW.length, changes = changes + 1 WHERE aid = NEW.aid;
    UPDATE terms SET df = df - 1 WHERE aid = NEW.aid AND term IN (SELECT value FROM ${splitTerms("NEW.terms")});
    DELETE FROM terms WHERE aid = NEW.aid AND df <= 0 AND term IN (SELECT value FROM ${splitTerms("NEW.terms")});
    DELETE FROM fts WHERE rowid = NEW.id;
    INSERT INTO fts (rowid, t) SELECT id, ${prefixed("terms", "r")} FROM facts WHERE id = NEW.id;
    ${recall(near("NEW.sid", "NEW.id"))}
  END`,
  `CREATE TABLE checkpoints (id INTEGER PRIMARY KEY, checkpoint_id TEXT NOT NULL UNIQUE, aid INTEGER NOT NULL REFERENCES agents,
    created_at INTEGER NOT NULL, label TEXT, state TEXT, messages TEXT, message_count INTEGER NOT NULL) STRICT`,
  `CREATE INDEX checkpoints_newest ON checkpoints (aid, created_at, id)`,
  `CREATE TABLE entities (eid INTEGER PRIMARY KEY, aid INTEGER NOT NULL REFERENCES agents, name TEXT NOT NULL, UNIQUE (aid, name)) STRICT`,
  `CREATE TABLE links (aid INTEGER NOT NULL, source INTEGER NOT NULL REFERENCES entities, relation TEXT NOT NULL,
    target INTEGER NOT NULL REFERENCES entities, created_at INTEGER NOT NULL, PRIMARY KEY (aid, source, relation, target)) STRICT, WITHOUT ROWID`,
  `CREATE INDEX links_back ON links (aid, target, relation, source)`,
];

/** Vectors: one a live fact, of the model that made it last. */
const VECTORS = [
  `CREATE TABLE models (mid INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, dimensions INTEGER NOT NULL) STRICT`,
  `CREATE TABLE vectors (id INTEGER PRIMARY KEY REFERENCES facts, aid INTEGER NOT NULL, changed INTEGER NOT NULL,
    mid INTEGER NOT NULL REFERENCES models, vector BLOB NOT NULL) STRICT`,
  `CREATE INDEX vectors_changed ON vectors (aid, changed)`,
  `CREATE TRIGGER vector_retired AFTER UPDATE OF retired_at ON facts WHEN NEW.retired_at IS NOT NULL BEGIN
    DELETE FROM vectors WHERE id = NEW.id;
  END`,
];

/** What retired a fact, so that doing it again does nothing and tells the same; and retired facts that come from another store. */
const RETIREMENTS = [
  `ALTER TABLE facts ADD COLUMN retired_by TEXT`,
  `CREATE INDEX facts_retired_by ON facts (retired_by) WHERE retired_by IS NOT NULL`,
  `CREATE TRIGGER fact_copied AFTER INSERT ON facts WHEN NEW.retired_at IS NOT NULL BEGIN
    UPDATE agents SET changes = changes + 1 WHERE aid = NEW.aid;
    INSERT INTO fts (rowid, t) SELECT id, ${prefixed("terms", "r")} FROM facts WHERE id = NEW.id;
  END`,
];

/** What hooks and lists need. kind: `own` where the agent saved it, `auto` where a hook did. */
const HOOKS = [
  `ALTER TABLE checkpoints ADD COLUMN kind TEXT NOT NULL DEFAULT 'own'`,
  `CREATE INDEX checkpoints_kind ON checkpoints (aid, kind, created_at, id)`,
  // What lists choose and order by, so that they read no text of facts they do not show.
  `CREATE INDEX facts_told ON facts (aid, pinned, confidence, created_at) WHERE retired_at IS NULL`,
];

const MIGRATIONS: readonly (readonly string[])[] = [FIRST, VECTORS, RETIREMENTS, HOOKS];

export const SCHEMA_VERSION = MIGRATIONS.length;

/** What brings a store of an older version to this one, but for its number. */
export function stepsAfter(version: number): readonly string[] {
  return MIGRATIONS.slice(version).flat();
}

/** The first thing in every store of ours: a server cannot keep an application id. */
export const [MARK = ""] = FIRST;

/** The index, the dictionary and the counts made anew from the facts: what the triggers would have left. */
export const REINDEX: readonly string[] = [
  `INSERT INTO fts (fts) VALUES ('delete-all')`,
  `INSERT INTO fts (rowid, t) SELECT id, CASE WHEN retired_at IS NULL THEN ${prefixed("terms")} ELSE ${
    prefixed("terms", "r")
  } END FROM facts ORDER BY id`,
  `DELETE FROM terms`,
  `INSERT INTO terms (aid, term, df) SELECT aid, value, count(DISTINCT facts.id) FROM facts, ${
    splitTerms("facts.terms")
  } WHERE retired_at IS NULL AND value <> '' GROUP BY aid, value`,
  `UPDATE agents SET facts = (SELECT count(*) FROM facts f WHERE f.aid = agents.aid AND f.retired_at IS NULL),
    length = (SELECT coalesce(sum(f.length), 0) FROM facts f WHERE f.aid = agents.aid AND f.retired_at IS NULL)`,
];

/** Reads whose file it is, and changes nothing. @throws MemoryError store_newer, store_foreign. */
export function recognise(db: Libsql.Database): void {
  versionOf(db);
}

/** Brings the file to this version. */
export function migrate(db: Libsql.Database, path: string): void {
  const from = versionOf(db);
  if (from === SCHEMA_VERSION) return;
  if (from > 0) copyAside(db, `${path}.v${from}.bak`);
  db.exec("BEGIN IMMEDIATE");
  try {
    for (const statement of stepsAfter(versionOf(db))) db.exec(statement);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
  } catch (thrown) {
    if (db.inTransaction) db.exec("ROLLBACK");
    throw thrown;
  }
}

/** In one snapshot: another process may be making the store at this moment. */
function versionOf(db: Libsql.Database): number {
  if (db.inTransaction) return read(db);
  db.exec("BEGIN");
  try {
    return read(db);
  } finally {
    if (db.inTransaction) db.exec("COMMIT");
  }
}

function read(db: Libsql.Database): number {
  const version = pragma(db, "user_version");
  if (pragma(db, "application_id") !== APPLICATION_ID && !isEmpty(db)) throw fault("FOREIGN");
  return known(version);
}

/** The version, unless this Holdfast does not know it. @throws MemoryError store_newer. */
export function known(version: number): number {
  if (version <= SCHEMA_VERSION) return version;
  throw new MemoryError(
    "store_newer",
    `Cannot open the store: its schema is version ${version}, this Holdfast knows ${SCHEMA_VERSION}`,
    {
      hint: "Update Holdfast; the store was left untouched",
    },
  );
}

function pragma(db: Libsql.Database, name: string): number {
  const row = db.prepare(`PRAGMA ${name}`).get([]);
  return Number(Object.values(row ?? {})[0] ?? 0);
}

function isEmpty(db: Libsql.Database): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").all([]).length === 0;
}

/** Whole or not at all, readable by its owner alone. Another process may have made the same copy a moment ago. */
function copyAside(db: Libsql.Database, copy: string): void {
  if (existsSync(copy)) return;
  const part = `${copy}.${newId()}`;
  closeSync(openSync(part, "wx", 0o600));
  db.prepare("VACUUM INTO ?1").run([part]);
  renameSync(part, copy);
}

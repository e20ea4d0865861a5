// libSQL in this process: one connection, cached statements, and the waits that keep every acknowledged write.
import { setTimeout as sleep } from "node:timers/promises";
import { performance } from "node:perf_hooks";
import Libsql from "libsql";
import type { Config } from "../core/config.ts";
import { MemoryError } from "../core/errors.ts";
import type { Database, Results, Row, Statement } from "./database.ts";
import { fault, isBusy, storeFault } from "./faults.ts";
import { hasLog, identify, isDiskFull, isWritable, prepareFile } from "./file.ts";
import { known, migrate, recognise } from "./schema.ts";

/** The driver waits inside the event loop; longer waits are ours, outside it. Milliseconds. */
const DRIVER_WAIT = 25;
const READ = "BEGIN";
const VERSION = "PRAGMA user_version";
const FIRST_PAUSE = 2;
const LONGEST_PAUSE = 100;

interface Connection {
  readonly db: Libsql.Database;
  /** Device and inode of the file that this connection has open. */
  readonly identity: string;
  readonly statements: Map<string, { run(args: readonly unknown[]): Row[] }>;
  /** The file or its directory cannot be written: each batch looks again. */
  readonly readOnly: boolean;
}

export function openEmbedded({ store, durability, busyTimeout }: Config): Database {
  let connection: Connection | undefined;
  let seen: string | undefined;
  let closed = false;

  const connected = (): Connection => {
    if (closed) throw new MemoryError("store_failed", "Cannot use the store: it was closed");
    if (connection && identify(store) === connection.identity) return connection;
    discard();
    if (seen !== undefined && identify(store) === undefined) throw fault("LOST");
    connection = connect(store, { durability, wait: Math.min(DRIVER_WAIT, busyTimeout) });
    seen = connection.identity;
    return connection;
  };
  const discard = (): void => {
    try {
      connection?.db.close();
    } catch {
      // A connection that cannot even close holds nothing that was acknowledged.
    }
    connection = undefined;
  };
  const attempt = (begin: string, statements: readonly Statement[]): Results => {
    const { db, statements: cache, readOnly } = connected();
    try {
      if (readOnly && begin !== READ) throw fault("SQLITE_READONLY");
      db.exec(begin);
      // Another Holdfast may have upgraded the schema since: this one would write what that one does not expect.
      if (begin !== READ) known(Number(prepared(db, cache, VERSION).run([])[0]?.["user_version"]));
      const results = statements.map(({ sql, args }) => prepared(db, cache, sql).run(args));
      db.exec("COMMIT");
      return results;
    } catch (thrown) {
      undo(db);
      // The driver leaves a busy statement open, and later commits on its connection are lost.
      // What made a store read-only may be over at the next call.
      if (isBusy(thrown) || storeFault(thrown).code === "store_read_only") discard();
      throw thrown;
    } finally {
      if (readOnly) discard();
    }
  };
  const patiently = async (begin: string, statements: readonly Statement[]): Promise<Results> => {
    const deadline = performance.now() + busyTimeout;
    for (let pause = FIRST_PAUSE;; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      try {
        return attempt(begin, statements);
      } catch (thrown) {
        if (!isBusy(thrown) || performance.now() >= deadline) throw storeFault(thrown);
      }
      await sleep(pause * (0.5 + Math.random()));
    }
  };
  return {
    read: (statements) => patiently(READ, statements),
    write: (statements) => patiently("BEGIN IMMEDIATE", statements),
    close() {
      try {
        connection?.db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      } catch {
        // Another process is reading; the log is kept and read at the next start.
      }
      discard();
      closed = true;
      return Promise.resolve();
    },
  };
}

interface Opening {
  readonly durability: Config["durability"];
  /** Milliseconds that the driver waits for a lock. */
  readonly wait: number;
}

function connect(path: string, opening: Opening): Connection {
  prepareFile(path);
  // Opened the usual way, a read-only file stays read-only for this process: the driver keeps what it opened.
  if (!isWritable(path) && !hasLog(path)) return open(path, `file:${path}?immutable=1`, opening);
  try {
    return open(path, path, opening);
  } catch (thrown) {
    const { code } = storeFault(thrown);
    if (code === "store_failed" && isDiskFull(path)) throw fault("SQLITE_FULL");
    throw thrown;
  }
}

/** `address` is the path, or a URI that reads without writing anything beside the file. */
function open(path: string, address: string, { durability, wait }: Opening): Connection {
  const db = new Libsql(address, { timeout: wait } as Libsql.Options);
  try {
    recognise(db);
    if (address === path) {
      settle(db, durability);
      migrate(db, path);
    }
    const identity = identify(path);
    if (identity === undefined) throw fault("LOST");
    return { db, identity, statements: new Map(), readOnly: address !== path };
  } catch (thrown) {
    db.close();
    throw thrown;
  }
}

/** No memory map: a file cut short under one ends the process instead of failing a read. */
function settle(db: Libsql.Database, durability: Config["durability"]): void {
  db.exec("PRAGMA journal_mode = WAL");
  const synchronous = durability === "full" ? "FULL" : "NORMAL";
  db.exec(`PRAGMA synchronous = ${synchronous}; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -65536`);
}

function prepared(db: Libsql.Database, cache: Connection["statements"], sql: string) {
  const known = cache.get(sql);
  if (known) return known;
  const statement = db.prepare(sql);
  const run = statement.reader
    ? (args: readonly unknown[]) => statement.all(args) as Row[]
    : (args: readonly unknown[]) => {
      statement.run(args);
      return [];
    };
  const fresh = { run };
  cache.set(sql, fresh);
  return fresh;
}

function undo(db: Libsql.Database): void {
  try {
    if (db.inTransaction) db.exec("ROLLBACK");
  } catch {
    // The transaction is gone already: SQLite rolls back by itself on a full disk.
  }
}

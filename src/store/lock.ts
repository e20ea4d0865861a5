// A lock that the system frees when its holder dies: SQLite's own, on a file that holds nothing.
import Libsql from "libsql";

export interface Lock {
  release(): void;
}

/** Undefined while another process holds it. */
export function holdLock(path: string): Lock | undefined {
  const db = new Libsql(path, { timeout: 0 } as Libsql.Options);
  try {
    db.exec("BEGIN EXCLUSIVE");
    return { release: () => void db.close() };
  } catch (thrown) {
    db.close();
    if (String((thrown as { code?: unknown }).code).startsWith("SQLITE_BUSY")) return undefined; // a SqliteError has one
    throw thrown;
  }
}

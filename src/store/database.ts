// The port to a database: batches in, rows out. Everything above speaks to the store through it.
export type Value = string | number | null | Uint8Array;
export type Row = Readonly<Record<string, unknown>>;

/** One SQL statement and a value for each of its `?1 … ?N`. */
export interface Statement {
  readonly sql: string;
  readonly args: readonly Value[];
}

/** Rows of each statement of a batch, in order; empty for statements that return none. */
export type Results = readonly (readonly Row[])[];

export interface Database {
  /** Runs the statements on one snapshot. @throws MemoryError with a `store_…` code. */
  read(statements: readonly Statement[]): Promise<Results>;
  /**
   * Runs the statements in one transaction: all take effect and are committed, or none is.
   * A server may be sent them twice, when the first answer was lost: ids made by the caller see to it that the second
   * time does nothing and gives the same rows.
   * Waits for other writers up to the configured time. @throws MemoryError with a `store_…` code.
   */
  write(statements: readonly Statement[]): Promise<Results>;
  /** Frees the store; later calls fail. */
  close(): Promise<void>;
}

export function sql(text: string, ...args: Value[]): Statement {
  return { sql: text, args };
}

// The closed table of what can go wrong, and what each fault means to a shell and to a caller.

/** `exit`: status of the shell command. `retry`: the same call may succeed later. */
export const CODES = {
  invalid_argument: { exit: 2, retry: false },
  no_match: { exit: 3, retry: false },
  no_checkpoint: { exit: 3, retry: false },
  conflict: { exit: 4, retry: false },
  store_missing: { exit: 5, retry: false },
  store_denied: { exit: 5, retry: false },
  store_read_only: { exit: 5, retry: false },
  store_not_database: { exit: 5, retry: false },
  store_foreign: { exit: 5, retry: false },
  store_corrupt: { exit: 5, retry: false },
  store_newer: { exit: 5, retry: false },
  store_lost: { exit: 5, retry: true },
  store_full: { exit: 5, retry: true },
  store_away: { exit: 75, retry: true },
  store_unsure: { exit: 75, retry: true },
  store_busy: { exit: 75, retry: true },
  store_failed: { exit: 5, retry: true },
  record_undecodable: { exit: 5, retry: false },
  daemon_away: { exit: 75, retry: true },
  daemon_late: { exit: 75, retry: true },
  daemon_old: { exit: 5, retry: false },
  daemon_failed: { exit: 70, retry: false },
  internal: { exit: 70, retry: false },
} as const;

export type Code = keyof typeof CODES;

export interface ErrorDetails {
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** A fault whose sentence may be shown to anyone: no path of the store, no token, no driver text. */
export class MemoryError extends Error {
  override readonly name = "MemoryError";
  readonly code: Code;
  /** What to do about it, one sentence. */
  readonly hint: string | undefined;

  /** @param message one sentence, capital first, no full stop, naming the action and the value. */
  constructor(code: Code, message: string, { hint, cause }: ErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.hint = hint;
  }
}

/** Any thrown value as a MemoryError; what we did not foresee is `internal`, its text kept as cause only. */
export function toMemoryError(thrown: unknown): MemoryError {
  if (thrown instanceof MemoryError) return thrown;
  return new MemoryError("internal", "Something went wrong inside Holdfast", {
    hint: "The server's standard error has the details; please report them",
    cause: thrown,
  });
}

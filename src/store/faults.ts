// What the driver and the file system mean by their errors, in sentences for the user.
import { type Code, MemoryError } from "../core/errors.ts";

interface Fault {
  readonly code: Code;
  readonly message: string;
  readonly hint: string;
}

const DENIED: Fault = {
  code: "store_denied",
  message: "Cannot open the store: access to its file or directory is denied",
  hint: "Check who owns the store's directory, or choose another place with --store or HOLDFAST_STORE",
};
const MISSING: Fault = {
  code: "store_missing",
  message: "Cannot open the store: its directory does not exist and cannot be made",
  hint: "Make the directory, or choose another place with --store or HOLDFAST_STORE",
};
const FULL: Fault = {
  code: "store_full",
  message: "Cannot write to the store: no space left on its disk",
  hint: "Free some space and call again; what was stored before is intact",
};
const READ_ONLY: Fault = {
  code: "store_read_only",
  message: "Cannot write to the store: its file or directory is read-only",
  hint: "Make it writable, or choose another place with --store or HOLDFAST_STORE; reading still works",
};

const AWAY: Fault = {
  code: "store_away",
  message: "Cannot reach the store: its server does not answer",
  hint: "Check the network and that the server runs, then call again",
};
const TOO_LARGE: Fault = {
  code: "store_failed",
  message: "Cannot use the store: its server refused to pass on that much at once",
  hint: "Store or ask for less in one call, or raise the server's limits",
};
const REFUSED: Fault = {
  code: "store_denied",
  message: "Cannot open the store: its server refused the token",
  hint: "Set HOLDFAST_AUTH_TOKEN to a valid token of this database, and restart",
};

/** Keys: primary result codes, codes of the file system and the network, HTTP statuses, and names of our own. */
const FAULTS: Readonly<Record<string, Fault>> = {
  ECONNREFUSED: AWAY,
  UNREACHED: AWAY,
  ENOTFOUND: {
    code: "store_away",
    message: "Cannot reach the store: no server has its host name",
    hint: "Check the store's URL and the network, then call again",
  },
  STALLED: {
    code: "store_away",
    message: "Cannot use the store: its server did not answer in time",
    hint: "Call again; HOLDFAST_STORE_TIMEOUT_MS sets how long a request may take",
  },
  BROKEN: {
    code: "store_away",
    message: "Cannot use the store: the answer of its server was cut short or damaged",
    hint: "Check what stands between this machine and the server, then call again",
  },
  UNSURE: {
    code: "store_unsure",
    message: "Cannot tell whether it was stored: the connection to the store's server broke before the answer came",
    hint: "Call again: what was stored is not stored twice",
  },
  NO_TOKEN: { ...REFUSED, message: "Cannot open the store: its server asks for a token" },
  EXPIRED: { ...REFUSED, message: "Cannot open the store: its token has expired" },
  HTTP_401: REFUSED,
  HTTP_403: { ...REFUSED, message: "Cannot open the store: its token gives no access to this database" },
  TOKEN_READS: {
    code: "store_read_only",
    message: "Cannot write to the store: its token allows reading alone",
    hint: "Set HOLDFAST_AUTH_TOKEN to a token that may write, and restart; reading still works",
  },
  OUTDATED: {
    code: "store_read_only",
    message: "Cannot open the store: it is new or of an older version, and its token allows reading alone",
    hint: "Let a Holdfast whose token may write open it first",
  },
  HTTP_404: {
    code: "store_missing",
    message: "Cannot open the store: its server has no database at this address",
    hint: "Check the store's URL, or create the database",
  },
  HTTP_413: TOO_LARGE,
  ARGS_INVALID: TOO_LARGE,
  SQLITE_TOOBIG: TOO_LARGE,
  RESPONSE_TOO_LARGE: TOO_LARGE,
  HTTP_429: {
    code: "store_busy",
    message: "Cannot use the store: its server asks for fewer requests",
    hint: "Wait a moment and call again",
  },
  HTTP_502: AWAY,
  HTTP_503: AWAY,
  HTTP_504: AWAY,
  SERVER_FAILED: {
    code: "store_failed",
    message: "Cannot use the store: its server failed",
    hint: "The server's own log has the reason; call again",
  },
  BLOCKED: {
    code: "store_denied",
    message: "Cannot use the store: its server has blocked this database",
    hint: "Check the plan and the limits of the account that holds it",
  },
  NO_SERVER: {
    code: "store_not_database",
    message: "Cannot open the store: what answers at its URL is no libSQL server",
    hint: "Check the store's URL",
  },
  UNTRUSTED: {
    code: "store_denied",
    message: "Cannot open the store: its server's certificate is not to be trusted",
    hint:
      "Check the store's URL, and whether it is https or http; for a certificate of your own set NODE_EXTRA_CA_CERTS",
  },
  SQLITE_BUSY: {
    code: "store_busy",
    message: "Cannot write to the store: other processes kept it locked",
    hint: "Nothing was stored; call again",
  },
  SQLITE_FULL: FULL,
  ENOSPC: FULL,
  EDQUOT: FULL,
  SQLITE_READONLY: READ_ONLY,
  EROFS: READ_ONLY,
  SQLITE_CANTOPEN: DENIED,
  SQLITE_PERM: DENIED,
  EACCES: DENIED,
  EPERM: DENIED,
  ENOENT: MISSING,
  ENOTDIR: MISSING,
  EEXIST: MISSING,
  ELOOP: MISSING,
  ENAMETOOLONG: MISSING,
  SQLITE_NOTADB: {
    code: "store_not_database",
    message: "Cannot open the store: its file is not a database",
    hint: "It was left untouched; choose another file with --store or HOLDFAST_STORE",
  },
  SQLITE_CORRUPT: {
    code: "store_corrupt",
    message: "Cannot read the store: its file is damaged",
    hint: "It was left untouched; put a backup in its place, or choose another file with --store",
  },
  SQLITE_IOERR: {
    code: "store_failed",
    message: "Cannot use the store: the disk reported an error",
    hint: "Check the disk and its free space, then call again; what was stored before is intact",
  },
  LOST: {
    code: "store_lost",
    message: "Cannot use the store: its file was removed or replaced while in use",
    hint: "Put the file back and call again, or restart to begin with a new store",
  },
  FOREIGN: {
    code: "store_foreign",
    message: "Cannot open the store: its file is a database of another program",
    hint: "It was left untouched; choose another file with --store or HOLDFAST_STORE",
  },
  FOREIGN_SERVER: {
    code: "store_foreign",
    message: "Cannot open the store: the database at its URL is another program's",
    hint: "It was left untouched; create a database for Holdfast alone",
  },
};

const BUSY: readonly string[] = ["SQLITE_BUSY", "SQLITE_LOCKED"];

/** Primary result codes: the low byte of what the driver gives as `rawCode`. Source: sqlite.org/rescode.html. */
const PRIMARY: Readonly<Record<number, string>> = {
  3: "SQLITE_PERM",
  5: "SQLITE_BUSY",
  6: "SQLITE_LOCKED",
  8: "SQLITE_READONLY",
  10: "SQLITE_IOERR",
  11: "SQLITE_CORRUPT",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
  26: "SQLITE_NOTADB",
};

const FILE_SIZE: Fault = { ...FULL, message: "Cannot write to the store: its file reached the system's size limit" };
const OTHER: Fault = {
  code: "store_failed",
  message: "Cannot use the store: the database reported an error",
  hint: "The server's standard error has the details",
};

/** The one translation of a driver or file-system error; a MemoryError passes unchanged. */
export function storeFault(thrown: unknown): MemoryError {
  if (thrown instanceof MemoryError) return thrown;
  const { code, message, hint } = faultOf(thrown);
  return new MemoryError(code, message, { hint, cause: thrown });
}

export function fault(name: keyof typeof FAULTS, cause?: unknown): MemoryError {
  const { code, message, hint } = FAULTS[name] ?? OTHER;
  return new MemoryError(code, message, { hint, cause });
}

export function isBusy(thrown: unknown): boolean {
  return BUSY.includes(nameOf(thrown));
}

function faultOf(thrown: unknown): Fault {
  const code = codeOf(thrown);
  if (code === "SQLITE_IOERR_WRITE") return FILE_SIZE;
  if (code === "SQLITE_IOERR_FSTAT" || code === "SQLITE_READONLY_DBMOVED") return FAULTS["LOST"] ?? OTHER;
  const name = nameOf(thrown);
  if (name === "SQLITE_LOCKED") return FAULTS["SQLITE_BUSY"] ?? OTHER;
  return FAULTS[name] ?? (/: 14\)/.test(String(thrown)) ? DENIED : OTHER);
}

/** The name in the tables above: the primary code, whatever extended form the driver gave. */
function nameOf(thrown: unknown): string {
  const code = codeOf(thrown);
  const base = [...Object.keys(FAULTS), ...BUSY].find((name) => code === name || code.startsWith(`${name}_`));
  const raw = typeof thrown === "object" && thrown !== null && "rawCode" in thrown ? Number(thrown.rawCode) : 0;
  return base ?? PRIMARY[raw & 0xff] ?? "";
}

export function codeOf(thrown: unknown): string {
  const code = typeof thrown === "object" && thrown !== null && "code" in thrown ? thrown.code : "";
  return typeof code === "string" ? code : "";
}

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

const FAULTS: Readonly<Record<string, Fault>> = {
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

export function fault(name: keyof typeof FAULTS): MemoryError {
  const { code, message, hint } = FAULTS[name] ?? OTHER;
  return new MemoryError(code, message, { hint });
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

function codeOf(thrown: unknown): string {
  const code = typeof thrown === "object" && thrown !== null && "code" in thrown ? thrown.code : "";
  return typeof code === "string" ? code : "";
}

// From edits to what becomes of each file: the text before and after, or why it is left alone.
import { accessSync, constants, existsSync, lstatSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { type Edit, readText } from "./edits.ts";
import { Unreadable } from "./format.ts";

export interface Change {
  /** As the host knows it. */
  readonly path: string;
  /** What is written: the file that a link leads to. */
  readonly real: string;
  readonly hosts: readonly string[];
  /** Undefined where there is no file yet. */
  readonly before: string | undefined;
  /** Undefined where no file is to be left. */
  readonly after: string | undefined;
  /** Why the file is left alone. */
  readonly fault?: { readonly message: string; readonly snippets: readonly string[] };
}

const BOM = "\ufeff";

/** One change a file, files that need none left out. */
export function planMaking(edits: readonly Edit[]): Promise<Change[]> {
  return plan(edits, (edit, text) => edit.make(text));
}

/** What is known of a file from before we first wrote to it: `ledger.ts`. */
export interface Known {
  /** Null where there was no file, undefined where that is not known. */
  original(real: string): string | null | undefined;
  untouched(real: string): boolean;
}

/** A file that nobody touched since is given back as it was; from any other, only what is ours is taken. */
export async function planUnmaking(edits: readonly Edit[], known: Known): Promise<Change[]> {
  const there = edits.filter(({ path }) => existsSync(path));
  const changes = await plan(
    there,
    (edit, text) => edit.unmake(text, known.original(realPath(edit.path))?.replace(BOM, "")),
  );
  return Promise.all(changes.map((change) => change.fault ? change : withOriginal(change, there, known)));
}

async function withOriginal(change: Change, edits: readonly Edit[], known: Known): Promise<Change> {
  const original = known.original(change.real);
  if (original === undefined) return change;
  if (original === null) {
    const bare = known.untouched(change.real) || /^\s*(\{\s*\})?\s*$/.test(change.after ?? "");
    return bare ? { ...change, after: undefined } : change;
  }
  if (!known.untouched(change.real)) return change;
  // A copy that holds something of ours is older than what the ledger knows.
  const own = edits.filter(({ path }) => realPath(path) === change.real);
  const states = await Promise.all(own.map((edit) => edit.state(original.replace(BOM, "")).catch(() => "other")));
  return states.every((state) => state === "missing") ? { ...change, after: original } : change;
}

async function plan(edits: readonly Edit[], apply: (edit: Edit, text: string) => Promise<string>): Promise<Change[]> {
  const files = Map.groupBy(edits, ({ path }) => realPath(path));
  const changes = await Promise.all([...files].map(([real, some]) => changeOf(real, some, apply)));
  return changes.filter(({ before, after, fault }) => fault !== undefined || (before ?? "") !== after);
}

async function changeOf(
  real: string,
  edits: readonly Edit[],
  apply: (edit: Edit, text: string) => Promise<string>,
): Promise<Change> {
  const path = edits[0]?.path ?? real;
  const hosts = [...new Set(edits.map(({ host }) => host.id))];
  let before: string | undefined;
  try {
    before = readText(real);
    const bom = before?.startsWith(BOM) ? BOM : "";
    let text = (before ?? "").slice(bom.length);
    for (const edit of edits) text = await apply(edit, text);
    const after = bom + text;
    if (after !== (before ?? "")) checkWritable(real);
    return { path, real, hosts, before, after };
  } catch (thrown) {
    const snippets = [...new Set(await Promise.all(edits.map((edit) => edit.snippet())))];
    return { path, real, hosts, before, after: before ?? "", fault: { message: reason(thrown), snippets } };
  }
}

function reason(thrown: unknown): string {
  if (thrown instanceof Unreadable) {
    return `it cannot be read: line ${thrown.line}, column ${thrown.column}: ${thrown.message}`;
  }
  if (thrown instanceof TypeError) return "it is not UTF-8 text";
  const { code, message } = thrown as NodeJS.ErrnoException; // ours, or the file system's
  return code === undefined ? message.charAt(0).toLowerCase() + message.slice(1) : FILE_FAULTS[code] ?? code;
}

const FILE_FAULTS: Readonly<Record<string, string>> = {
  EACCES: "it cannot be written: permission denied",
  EPERM: "it cannot be written: permission denied",
  EROFS: "it cannot be written: the file system is read-only",
  EISDIR: "it is a directory",
  ELOOP: "its links lead in a circle",
  ENOTDIR: "a part of its path is a file",
};

/** Renaming over a file would pass its read-only mark by: that mark is its owner's word. */
function checkWritable(real: string): void {
  const stats = statSync(real, { throwIfNoEntry: false });
  if (stats?.isDirectory()) throw Object.assign(new Error(real), { code: "EISDIR" });
  if (stats && (stats.mode & 0o222) === 0) throw new Error("It is marked read-only");
  let folder = stats ? real : dirname(real);
  while (!existsSync(folder)) folder = dirname(folder);
  accessSync(folder, constants.W_OK);
}

/** Where a path's links lead, also where the file at their end is not there yet. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return path;
    const folder = dirname(path);
    return folder === path ? path : `${realPath(folder)}${path.slice(folder.length)}`;
  }
}

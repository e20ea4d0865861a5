// What was written into other programs' files: kept, with each file as it was, so that it can be taken back to the byte.
import { createHash } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { newId } from "../core/ids.ts";
import { isObject } from "../core/json.ts";
import type { Change } from "./plan.ts";

interface Entry {
  /** The project it was written for, the folder of an absolute path. */
  readonly project: string;
  /** The copy of the file as it was before; absent where there was no file. */
  readonly backup?: string;
  /** Of the text as we left it: a file that still has it was touched by nobody since; empty where no copy is to be trusted. */
  readonly digest: string;
}

interface Pages {
  readonly files: Readonly<Record<string, Entry>>;
  /** Made for those files: gone again once they are empty. */
  readonly folders: readonly string[];
}

export interface Ledger {
  /** Writes a change and keeps the file as it was. The path of the copy. */
  write(change: Change, project: string): string | undefined;
  /** The text before we first wrote to it; null where there was no file, undefined where that is not known. */
  original(real: string): string | null | undefined;
  /** Whether the file is as we left it. */
  untouched(real: string): boolean;
  /** Leaves the file with this text, or takes it away with the folders made for it, and forgets it. */
  giveBack(real: string, text: string | undefined): void;
  /** Files written to, and the projects they were written for. */
  written(): readonly { readonly real: string; readonly project: string }[];
}

export function openLedger(folder: string): Ledger {
  const file = join(folder, "ledger.json");
  const pages = read(file);
  const entries = new Map(Object.entries(pages.files));
  let folders = pages.folders;
  const save = () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    replace(file, `${JSON.stringify({ files: Object.fromEntries(entries), folders }, null, 2)}\n`, 0o600);
  };
  const untouched = (real: string) =>
    existsSync(real) && entries.get(real)?.digest === digest(readFileSync(real, "utf8"));
  return {
    write({ real, before, after = "" }, project) {
      const held = entries.get(real);
      const ours = held !== undefined && untouched(real);
      const copied = ours ? held.backup : copy(folder, real, before);
      folders = [...folders, ...makeFolders(dirname(real))];
      replace(real, after);
      const backup = held ? held.backup : copied;
      // What its owner changed between two writes of ours is in no single copy.
      const left = held && !ours ? "" : digest(after);
      entries.set(real, { project, ...(backup === undefined ? {} : { backup }), digest: left });
      save();
      return copied;
    },
    original(real) {
      const held = entries.get(real);
      if (!held) return undefined;
      if (held.backup === undefined) return null;
      return existsSync(held.backup) ? readFileSync(held.backup, "utf8") : undefined;
    },
    untouched,
    giveBack(real, text) {
      if (text !== undefined) replace(real, text);
      else rmSync(real, { force: true });
      if (!entries.delete(real)) return;
      folders = removeEmpty(folders);
      save();
    },
    written: () => [...entries].map(([real, { project }]) => ({ real, project })),
  };
}

function read(file: string): Pages {
  const blank = { files: {}, folders: [] };
  try {
    const parsed: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isObject(parsed) ? { ...blank, ...parsed as Partial<Pages> } : blank; // written by us alone
  } catch {
    return blank;
  }
}

function copy(folder: string, real: string, before: string | undefined): string | undefined {
  if (before === undefined) return undefined;
  const backups = join(folder, "backups");
  mkdirSync(backups, { recursive: true, mode: 0o700 });
  const path = join(backups, `${newId()}-${basename(real)}`);
  writeFileSync(path, before, { mode: 0o600 });
  return path;
}

/** Whole or not at all, with the rights that the file had. */
function replace(path: string, text: string, mode?: number): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  const part = `${path}.${newId()}.tmp`;
  const descriptor = openSync(part, "wx", mode ?? stats?.mode ?? 0o666);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  if (stats) chmodSync(part, stats.mode);
  renameSync(part, path);
}

function makeFolders(folder: string): string[] {
  const missing: string[] = [];
  for (let one = folder; !existsSync(one); one = dirname(one)) missing.unshift(one);
  mkdirSync(folder, { recursive: true });
  return missing;
}

/** The folders that are still in use. */
function removeEmpty(folders: readonly string[]): string[] {
  return folders.toReversed().filter((folder) => {
    try {
      rmdirSync(folder);
      return false;
    } catch {
      return existsSync(folder);
    }
  }).reverse();
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

// What hooks keep beside the store: the facts that a session has been shown, what was injected, and what went wrong.
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";

const DAY = 24 * 60 * 60 * 1000;
/** A session not seen for so long is over. */
const FORGOTTEN = 7 * DAY;
/** A log that has grown to this is begun anew, its older half gone. Bytes. */
const LOG_LIMIT = 512 * 1024;

/** One run of a hook. */
export interface Run {
  readonly at: number;
  readonly host: string;
  readonly event: string;
  readonly agentId: string;
  /** Characters given to the model. */
  readonly characters: number;
  readonly ms: number;
}

export interface HookState {
  /** Ids of the facts that the session has been shown. */
  shown(sessionId: string): ReadonlySet<string>;
  show(sessionId: string, ids: readonly string[]): void;
  /** Whether the session has not come by this before; from now on it has. */
  isNew(sessionId: string, text: string): boolean;
  /** The model has lost what it was shown. */
  forget(sessionId: string): void;
  record(run: Run): void;
  runs(): readonly Run[];
  fail(sentence: string): void;
}

export function openHookState(folder: string): HookState {
  const sessions = join(folder, "sessions");
  const file = (sessionId: string) => join(sessions, createHash("sha256").update(sessionId).digest("hex").slice(0, 24));
  const append = (name: string, line: string) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, name);
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT) halve(path);
    appendFileSync(path, `${line}\n`, { mode: 0o600 });
  };
  const shown = (sessionId: string) => new Set(sessionId === "" ? [] : lines(file(sessionId)));
  const show = (sessionId: string, ids: readonly string[]) => {
    if (sessionId === "" || ids.length === 0) return;
    mkdirSync(sessions, { recursive: true, mode: 0o700 });
    appendFileSync(file(sessionId), ids.map((id) => `${id}\n`).join(""), { mode: 0o600 });
  };
  return {
    shown,
    show,
    isNew(sessionId, text) {
      const mark = `# ${createHash("sha256").update(text).digest("hex").slice(0, 24)}`;
      if (shown(sessionId).has(mark)) return false;
      show(sessionId, [mark]);
      return true;
    },
    forget(sessionId) {
      rmSync(file(sessionId), { force: true });
      sweep(sessions);
    },
    record: (run) => append("runs.jsonl", JSON.stringify(run)),
    runs: () => lines(join(folder, "runs.jsonl")).flatMap(runOf),
    fail: (sentence) => append("log", `${new Date().toISOString()} ${sentence.replace(/\s+/g, " ").slice(0, 500)}`),
  };
}

function lines(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n").filter((line) => line !== "");
  } catch {
    return [];
  }
}

function runOf(line: string): Run[] {
  try {
    return [JSON.parse(line) as Run]; // written by record alone
  } catch {
    return [];
  }
}

function halve(path: string): void {
  const all = lines(path);
  writeFileSync(path, `${all.slice(Math.floor(all.length / 2)).join("\n")}\n`, { mode: 0o600 });
}

function sweep(sessions: string): void {
  try {
    for (const name of readdirSync(sessions)) {
      const path = join(sessions, name);
      if (Date.now() - statSync(path).mtimeMs > FORGOTTEN) rmSync(path, { force: true });
    }
  } catch {
    // Nothing to sweep, or another hook is sweeping.
  }
}

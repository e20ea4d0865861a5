// What the daemon did, for its user: JSON lines in a file that is turned over before it grows large. No text of facts, no token.
import { appendFileSync, renameSync, statSync } from "node:fs";

/** Bytes of one file; two older ones are kept. */
const LIMIT = 1024 * 1024;
const KEPT = 2;

export type Journal = (event: string, more?: Readonly<Record<string, string | number | undefined>>) => void;

export function openJournal(path: string): Journal {
  return (event, more = {}) => {
    const line = `${JSON.stringify({ at: new Date().toISOString(), event, ...more })}\n`;
    try {
      turnOver(path);
      appendFileSync(path, line, { mode: 0o600 });
    } catch {
      // A full disk stops the journal, not the daemon.
    }
  };
}

function turnOver(path: string): void {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) < LIMIT) return;
  for (let age = KEPT - 1; age >= 0; age--) {
    const older = `${path}.${age + 1}`;
    const file = age === 0 ? path : `${path}.${age}`;
    if (statSync(file, { throwIfNoEntry: false })) renameSync(file, older);
  }
}

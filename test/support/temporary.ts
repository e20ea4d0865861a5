// Stores that a test may fill and throw away.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

const folders: string[] = [];
const clear = () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
};
process.on("exit", clear);
(globalThis as Partial<EventTarget>).addEventListener?.("unload", clear); // Deno's test runner ends without `exit`

/** A new folder, removed when the test process ends: the driver keeps files open until then. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-test-"));
  folders.push(folder);
  return folder;
}

export function temporaryStore(): string {
  return join(temporaryFolder(), "store.db");
}

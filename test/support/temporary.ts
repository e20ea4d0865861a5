// Stores that a test may fill and throw away.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

const folders: string[] = [];
process.on("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A new folder, removed when the test process ends: the driver keeps files open until then. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-test-"));
  folders.push(folder);
  return folder;
}

export function temporaryStore(): string {
  return join(temporaryFolder(), "store.db");
}

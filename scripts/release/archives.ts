// Archives whose bytes follow from their contents alone: entries in order, one date, no owners.
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { create } from "tar";
import { ZipFile } from "yazl";

export interface Entry {
  /** Where it is in the archive. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable?: boolean;
}

const DATE = new Date("2020-01-01T00:00:00Z");

/** A `.zip` or a `.tar.gz`, by the name of the output. */
export async function archive(output: string, entries: readonly Entry[]): Promise<void> {
  if (output.endsWith(".tar.gz")) return await tarball(output, entries);
  const zip = new ZipFile();
  for (const { path, bytes, executable } of entries) {
    zip.addBuffer(Buffer.from(bytes), path, { mtime: DATE, mode: executable ? 0o100755 : 0o100644 });
  }
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(output));
}

async function tarball(output: string, entries: readonly Entry[]): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), "holdfast-archive-"));
  try {
    for (const { path, bytes, executable } of entries) {
      mkdirSync(dirname(join(work, path)), { recursive: true });
      writeFileSync(join(work, path), bytes, { mode: executable ? 0o755 : 0o644 });
    }
    const options = { cwd: work, file: output, gzip: { level: 9 }, portable: true, mtime: DATE };
    await create(options, entries.map(({ path }) => path.replace(/^@/, "./@"))); // a bare @ would name another archive
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

export function entry(path: string, file: string, executable = false): Entry {
  return { path, bytes: readFileSync(file), executable };
}

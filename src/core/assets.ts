// Files that come with the program: beside its modules, or inside the executable.
import { Buffer } from "node:buffer";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";

interface Sea {
  isSea(): boolean;
  getRawAsset(key: string): ArrayBuffer;
}

/** Deno has no such module. */
const sea = process.getBuiltinModule?.("node:sea") as Sea | undefined;

/** One file is all there is: no runtime beside it, no script. */
export const isStandalone: boolean = sea?.isSea() ?? false;

/** Our own executable, with our assets in it. */
export const inExecutable: boolean = isStandalone && hasAsset("addon.sha256");

/** Other tools make single executables too, with assets of their own and a file system that holds ours. */
function hasAsset(key: string): boolean {
  try {
    return sea?.getRawAsset(key) !== undefined;
  } catch {
    return false;
  }
}

/** The bytes of a file that comes with the program; in the executable its base name is its key. Not to be changed. */
export function readAsset(file: URL): Promise<Buffer> {
  return inExecutable ? Promise.resolve(packed(basename(file.pathname))) : readFile(fileURLToPath(file));
}

/** An asset of the executable, without a copy. @throws Error where there is no such asset. */
export function packed(key: string): Buffer {
  if (!sea) throw new Error(`No asset ${key}: this is not the executable`);
  return Buffer.from(sea.getRawAsset(key));
}

/** A thread that runs a module of the program, which the bundle keeps in a file of its own. */
export function openWorker(module: URL, workerData: unknown): Worker {
  const bundled = basename(module.pathname).replace(/\.ts$/, ".cjs");
  if (inExecutable) return new Worker(packed(bundled).toString(), { eval: true, workerData });
  const isSource = import.meta.url.endsWith(".ts");
  return new Worker(isSource ? module : new URL(bundled, module), { workerData });
}

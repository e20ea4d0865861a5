// The driver's native part where there are no node_modules: the bundle requires it by platform, the executable unpacks it once.
import type { Buffer } from "node:buffer";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { inExecutable, packed } from "../core/assets.ts";
import { MemoryError } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import { cachePlaces } from "../core/places.ts";

/** Names under @libsql/, the likelier first. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  "linux-x64": ["linux-x64-gnu", "linux-x64-musl"],
  "linux-arm64": ["linux-arm64-gnu", "linux-arm64-musl"],
  "darwin-x64": ["darwin-x64"],
  "darwin-arm64": ["darwin-arm64"],
  "win32-x64": ["win32-x64-msvc"],
};
const DAY = 24 * 60 * 60 * 1000;
/** An unpacked file that no start has used for this long belongs to a version that is gone. */
const UNUSED = 60 * DAY;
const WRITABLE_BY_OTHERS = 0o022;

/** What `require("@libsql/…")` gives. @throws MemoryError store_failed with what to do. */
export function loadAddon(): unknown {
  return inExecutable ? loadPacked(packed("addon.node"), packed("addon.sha256").toString()) : loadInstalled();
}

function loadInstalled(): unknown {
  const require = createRequire(import.meta.url);
  const platform = `${process.platform}-${process.arch}`;
  const names = PACKAGES[platform] ?? [];
  let cause: unknown;
  for (const name of names) {
    try {
      return require(`@libsql/${name}`);
    } catch (thrown) {
      cause ??= thrown;
    }
  }
  throw new MemoryError("store_failed", `Cannot load the database engine: there is none here for ${platform}`, {
    hint: names[0]
      ? `npm install @libsql/${names[0]} beside Holdfast`
      : "Holdfast runs on Linux, macOS and Windows on x64, and on Linux and macOS on arm64",
    cause,
  });
}

/** Loads the addon from the first cache directory that lets it be written, kept and run. */
export function loadPacked(
  addon: Buffer,
  sha256: string,
  places: readonly string[] = cachePlaces(),
): unknown {
  let cause: unknown;
  for (const place of places) {
    try {
      return loadFrom(place, `libsql-${sha256.slice(0, 32)}.node`, addon);
    } catch (thrown) {
      cause ??= thrown;
    }
  }
  const missing = cause instanceof Error && "code" in cause && cause.code === "ERR_DLOPEN_FAILED" &&
    process.platform === "win32";
  throw new MemoryError(
    "store_failed",
    "Cannot load the database engine: no cache directory lets it be written and run",
    {
      hint: missing
        ? "Install the Microsoft Visual C++ Redistributable (x64) and start again"
        : "Set HOLDFAST_CACHE to a directory of yours on a disk that is not mounted noexec",
      cause,
    },
  );
}

function loadFrom(place: string, name: string, addon: Buffer): unknown {
  const file = join(place, name);
  if (!isIntact(file, addon.length)) unpack(place, name, addon);
  try {
    return open(file);
  } catch (thrown) {
    if (addon.length === statSync(file).size && addon.equals(readFileSync(file))) throw thrown;
    unpack(place, name, addon);
    return open(file);
  }
}

function open(file: string): unknown {
  const module = { exports: {} as unknown };
  process.dlopen(module, file);
  return module.exports;
}

/** Reads no contents: this is on the way of every start. */
function isIntact(file: string, size: number): boolean {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size !== size || !isOwn(stats)) return false;
  if (Date.now() - stats.mtimeMs > DAY) touch(file);
  return true;
}

/** Written under another name and renamed, so that no start sees a part of it. */
function unpack(place: string, name: string, addon: Buffer): void {
  mkdirSync(place, { recursive: true, mode: 0o700 });
  if (!isOwn(statSync(place))) throw new Error("The cache directory belongs to, or can be written by, someone else");
  const temporary = join(place, `.${process.pid}-${newId()}.tmp`);
  try {
    writeFileSync(temporary, addon, { flag: "wx", mode: 0o700 });
    renameSync(temporary, join(place, name));
  } catch (thrown) {
    rmSync(temporary, { force: true });
    if (process.platform !== "win32" || !isIntact(join(place, name), addon.length)) throw thrown; // in use there: another start won
  }
  prune(place, name);
}

function isOwn({ uid, mode }: { uid: number; mode: number }): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & WRITABLE_BY_OTHERS) === 0);
}

function touch(file: string): void {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // A cache that cannot be written may still be used.
  }
}

/** Removes what no version has used for long and what interrupted starts left. */
function prune(place: string, kept: string): void {
  for (const name of readdirSync(place)) {
    const limit = /^libsql-[0-9a-f]{32}\.node$/.test(name) ? UNUSED : /^\.\d+-\w+\.tmp$/.test(name) ? DAY : Infinity;
    if (name === kept || limit === Infinity) continue;
    const stats = statSync(join(place, name), { throwIfNoEntry: false });
    if (stats && Date.now() - stats.mtimeMs > limit) rmSync(join(place, name), { force: true });
  }
}

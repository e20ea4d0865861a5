// Packages from the npm registry, by version and sum, unpacked once into a cache.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Package } from "./targets.ts";

const CACHE = fileURLToPath(new URL("../../node_modules/.cache/holdfast/", import.meta.url));

/** The folder with the package's files. @throws Error when the tarball's sum is not the one expected. */
export function fetchPackage({ package: name, sha256 }: Package, version: string): string {
  const folder = join(CACHE, sha256);
  if (existsSync(folder)) return join(folder, "package");
  mkdirSync(CACHE, { recursive: true });
  const work = mkdtempSync(join(CACHE, "fetch-"));
  try {
    const packed = execFileSync("npm", ["pack", `${name}@${version}`, "--pack-destination", work, "--silent"], {
      encoding: "utf8",
      shell: process.platform === "win32",
    });
    const tarball = join(work, packed.trim().split("\n").at(-1) ?? "");
    const sum = createHash("sha256").update(readFileSync(tarball)).digest("hex");
    if (sum !== sha256) {
      throw new Error(`${name}@${version} has SHA-256 ${sum}, not ${sha256}: it may have been tampered with`);
    }
    execFileSync("tar", ["-xzf", tarball, "-C", work]);
    rmSync(tarball);
    renameSync(work, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return join(folder, "package");
}

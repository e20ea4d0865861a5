// The second way to an executable: @yao-pkg/pkg over the same bundle, for this platform, with its download cache filled beforehand.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import manifest from "../../package.json" with { type: "json" };
import { nodeOf } from "./executable.ts";
import { fetchPackage } from "./packages.ts";
import { hostTarget, LIBSQL_VERSION, NODE_VERSION } from "./targets.ts";

const TOOL = fileURLToPath(new URL("pkg/", import.meta.url));
const BIN = join(TOOL, "node_modules/@yao-pkg/pkg/lib-es5/bin.js");

/** @param dist the folder that `bundle` filled */
export function buildWithPkg(dist: string, output: string): void {
  const { os, cpu, addon } = hostTarget();
  if (os === "win32") throw new Error("The engine pkg is set up for Linux and macOS alone");
  if (!existsSync(BIN)) execFileSync("npm", ["ci", "--ignore-scripts", "--silent"], { cwd: TOOL, stdio: "inherit" });
  const work = mkdtempSync(join(tmpdir(), "holdfast-pkg-"));
  try {
    const app = join(work, "app");
    cpSync(dist, app, { recursive: true, filter: (path) => !/[/\\](release|holdfast|holdfast-pkg)$/.test(path) });
    cpSync(fetchPackage(addon, LIBSQL_VERSION), join(app, "node_modules", addon.package), { recursive: true });
    const assets = ["table/*", "minilm_worker.cjs", "node_modules/@libsql/*/*"];
    writeFileSync(
      join(app, "package.json"),
      JSON.stringify({ name: manifest.name, version: manifest.version, bin: "holdfast.cjs", pkg: { assets } }),
    );
    fillCache(join(work, ".pkg-cache/sea"), `node-v${NODE_VERSION}-${os}-${cpu}`);
    const words = [
      BIN,
      app,
      "--sea",
      "-t",
      `node${NODE_VERSION}-${os === "darwin" ? "macos" : os}-${cpu}`,
      "-o",
      output,
    ];
    execFileSync(nodeOf(hostTarget()), words, { env: { ...process.env, HOME: work }, stdio: "inherit" });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** What pkg would otherwise download: it takes files with an `.ok` beside them for checked. */
function fillCache(folder: string, name: string): void {
  mkdirSync(join(folder, name, "bin"), { recursive: true });
  cpSync(nodeOf(hostTarget()), join(folder, name, "bin/node"));
  for (const file of [`${name}/bin/node.ok`, `${name}.tar.gz`, `${name}.tar.gz.ok`]) {
    writeFileSync(join(folder, file), "");
  }
}

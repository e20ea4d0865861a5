// One file that runs without Node: the Node of its platform with the bundle, the driver and the word table inside.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { buildSync } from "esbuild";
import { inject } from "postject";
import { pieces, ROOT, TABLE } from "./bundle.ts";
import { warmUp } from "./code_cache.ts";
import { signAdHoc } from "./macho.ts";
import { fetchPackage } from "./packages.ts";
import { removeSignature } from "./pe.ts";
import { hostTarget, LIBSQL_VERSION, NODE_VERSION, type Target } from "./targets.ts";

const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

export interface Build {
  readonly target: Target;
  /** The folder that `bundle` filled. */
  readonly dist: string;
  readonly output: string;
  /**
   * The words that start the target's Node on this machine: the executable then carries the code V8 compiles in a short
   * conversation, and starts in half the time. Without them the same sources give the same bytes.
   */
  readonly run?: readonly string[] | undefined;
}

export async function buildExecutable({ target, dist, output, run }: Build): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), "holdfast-build-"));
  try {
    const node = nodeOf(target);
    const app = await pieces();
    for (const [name, code] of app) writeFileSync(join(work, name), code);
    const driver = fetchPackage(target.addon, LIBSQL_VERSION);
    cpSync(driver, join(work, "node_modules", target.addon.package), { recursive: true });
    if (run) warmUp({ run, folder: work, dist });
    const image = join(work, "image");
    writeFileSync(image, prepareBase(target, node, work));
    await inject(image, "NODE_SEA_BLOB", makeBlob(target, { work, dist, app: [...app.keys()] }), {
      sentinelFuse: FUSE,
      ...(target.os === "darwin" ? { machoSegmentName: "NODE_SEA" } : {}),
    });
    const injected = readFileSync(image);
    mkdirSync(dirname(output), { recursive: true });
    writeFileSync(`${output}.new`, target.os === "darwin" ? signAdHoc(injected, "holdfast") : injected, {
      mode: 0o755,
    });
    renameSync(`${output}.new`, output);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

export function fileName({ os }: Target): string {
  return os === "win32" ? "holdfast.exe" : "holdfast";
}

export function nodeOf(target: Target): string {
  return join(fetchPackage(target.node, NODE_VERSION), "bin", target.os === "win32" ? "node.exe" : "node");
}

/** Without symbols and without the signature of the unchanged file. */
function prepareBase(target: Target, node: string, work: string): Uint8Array {
  if (target.os === "win32") return removeSignature(readFileSync(node));
  if (target.os !== "linux") return readFileSync(node);
  const stripped = join(work, "stripped");
  const tools = target === hostTarget()
    ? ["strip"]
    : ["llvm-strip", target.cpu === "arm64" ? "aarch64-linux-gnu-strip" : "x86_64-linux-gnu-strip"];
  const done = tools.some((tool) => spawnSync(tool, ["-o", stripped, node], { stdio: "ignore" }).status === 0);
  if (!done) console.error(`No ${tools.join(" or ")} here: ${target.id} keeps Node's symbols, 18 MB`);
  return readFileSync(done ? stripped : node);
}

/** Paths are relative: the blob holds them. */
function makeBlob(target: Target, { work, dist, app }: { work: string; dist: string; app: readonly string[] }): Buffer {
  const addon = readFileSync(join(work, "node_modules", target.addon.package, "index.node"));
  const cached = app.filter((name) => existsSync(join(work, `${name}.cache`)));
  writeFileSync(join(work, "cached.json"), JSON.stringify(cached));
  writeFileSync(join(work, "addon.node"), addon);
  writeFileSync(join(work, "addon.sha256"), createHash("sha256").update(addon).digest("hex"));
  const made = [...app, ...cached.map((name) => `${name}.cache`), "cached.json", "addon.node", "addon.sha256"];
  const kept = ["minilm_worker.cjs", "THIRD_PARTY.txt", ...TABLE.map((name) => `table/${name}`)];
  buildSync({
    absWorkingDir: ROOT,
    entryPoints: ["scripts/build/loader.ts"],
    outfile: join(work, "loader.cjs"),
    platform: "node",
    format: "cjs",
    bundle: true,
  });
  const config = {
    main: "loader.cjs",
    output: "sea.blob",
    disableExperimentalSEAWarning: true,
    useCodeCache: false,
    useSnapshot: false,
    execArgvExtension: "none",
    assets: Object.fromEntries([
      ...made.map((name) => [name, name]),
      ...kept.map((path) => [basename(path), join(dist, path)]),
    ]),
  };
  writeFileSync(join(work, "sea.json"), JSON.stringify(config));
  execFileSync(nodeOf(hostTarget()), ["--experimental-sea-config", "sea.json"], { cwd: work, stdio: "ignore" });
  return readFileSync(join(work, "sea.blob"));
}

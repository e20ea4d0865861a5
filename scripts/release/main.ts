// npm run release -- --repository OWNER/NAME: everything a release publishes, into dist/release, from this one machine.
// --only ID,… makes some targets; --run "ID=WORD…" names what runs a foreign target's programs here, such as an emulator.
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { bundle, DIST } from "../build/bundle.ts";
import { buildExecutable, fileName, nodeOf } from "../build/executable.ts";
import { hostTarget, type Target, TARGETS } from "../build/targets.ts";
import { manifests } from "./manifests.ts";
import { packBundle, packExecutable, packModel, packNpm } from "./packages.ts";
import { describeRelease } from "./release.ts";

const { values } = parseArgs({
  options: {
    repository: { type: "string" },
    only: { type: "string" },
    run: { type: "string", multiple: true, default: [] },
  },
});
const { repository = "" } = values;
if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) {
  console.error("Give --repository OWNER/NAME: the manifests say where the files will be");
  process.exit(2);
}
const wanted = values.only?.split(",");
const targets = TARGETS.filter(({ id }) => wanted?.includes(id) ?? true);
const emulators = new Map(values.run.map((run) => {
  const [id = "", ...words] = run.split("=");
  return [id, words.join("=").split(" ")] as const;
}));

const folder = join(DIST, "release");
const work = mkdtempSync(join(tmpdir(), "holdfast-release-"));
try {
  await bundle(DIST);
  mkdirSync(folder, { recursive: true });
  const made = { dist: DIST, folder };
  const archives: Record<string, string> = {};
  const bundles: Record<string, string> = {};
  for (const target of targets) {
    const executable = join(work, target.id, fileName(target));
    await buildExecutable({ target, dist: DIST, output: executable, run: runOf(target) });
    archives[target.id] = await packExecutable(target, executable, made);
    bundles[target.id] = await packBundle(target, executable, made, repository);
    console.log(`${target.id}: ${megabytes(executable)} MB, archive ${megabytes(archives[target.id] ?? "")} MB`);
  }
  const others = [await packNpm(made, repository), await packModel(made)];
  const files = [...Object.values(archives), ...Object.values(bundles), ...others];
  writeFileSync(join(folder, "SHA256SUMS"), files.map((file) => `${sumOf(file)}  ${basename(file)}\n`).join(""));
  if (targets.length === TARGETS.length) {
    for (const [path, text] of Object.entries(manifests(describeRelease(repository, { archives, bundles })))) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  }
  console.log(
    `dist/release: ${files.length} files and SHA256SUMS${
      targets.length === TARGETS.length ? ", and the manifests" : ""
    }`,
  );
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Nothing where the target cannot run here: its executable then starts without kept code. */
function runOf(target: Target): readonly string[] | undefined {
  if (target === hostTarget()) return [nodeOf(target)];
  const words = emulators.get(target.id);
  return words && [...words, nodeOf(target)];
}

function sumOf(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

function megabytes(file: string): string {
  return (statSync(file).size / 1e6).toFixed(1);
}

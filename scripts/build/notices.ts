// The licences of everything that is shipped: of each bundled package, and of the word table's sources.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const LICENCE = /^(licen[cs]e|copying|notice)(\.|-|$)/i;

/** @param inputs paths of the bundled modules, as the bundler names them. @throws Error for a package without a licence. */
export function thirdParty(root: string, inputs: readonly string[]): string {
  const folders = new Set(inputs.flatMap((input) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []));
  const sections = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    if (typeof license !== "string") throw new Error(`${name} names no licence`);
    const texts = readdirSync(join(root, folder)).filter((file) => LICENCE.test(file)).sort()
      .map((file) => readFileSync(join(root, folder, file), "utf8").trim());
    return [`${name} ${version} (${license})`, ...texts].join("\n\n");
  });
  const own = readFileSync(join(root, "NOTICE"), "utf8").trim();
  return ["Holdfast contains the work of others, under these licences.", own, ...sections].join(
    `\n\n${"-".repeat(80)}\n\n`,
  ) + "\n";
}

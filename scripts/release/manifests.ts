// What package managers and registries are told of a release, each file filled from the same table.
import { readFileSync } from "node:fs";
import { assetOf, type Release } from "./release.ts";

const NAME = "holdfast";
const SCRIPTS = ["install.sh", "install.ps1", "Dockerfile"];

/** Path under the release's folder → text. */
export function manifests(release: Release): Readonly<Record<string, string>> {
  return {
    "homebrew/Formula/holdfast.rb": formula(release),
    "scoop/bucket/holdfast.json": json(scoop(release)),
    "server.json": json(registryEntry(release)),
    "glama.json": json({
      $schema: "https://glama.ai/mcp/schemas/server.json",
      maintainers: [release.repository.split("/")[0]],
    }),
    ...Object.fromEntries(SCRIPTS.map((name) => [name, filled(name, release)])),
  };
}

/** The name under which the MCP registry knows a server whose owner it asks at GitHub. */
export function registryName({ repository }: Pick<Release, "repository">): string {
  return `io.github.${repository.split("/")[0]}/${NAME}`;
}

function formula({ version, description, licence, repository, archives }: Release): string {
  const place = (indent: string, target: string) => {
    const { url, sha256 } = assetOf(archives, target);
    return `${indent}url "${url}"\n${indent}sha256 "${sha256}"`;
  };
  const system = (name: string, arm: string, intel: string) =>
    `  on_${name} do
    on_arm do
${place("      ", arm)}
    end
    on_intel do
${place("      ", intel)}
    end
  end`;
  return `class Holdfast < Formula
  desc "${description}"
  homepage "https://github.com/${repository}"
  version "${version}"
  license "${licence}"

${system("macos", "darwin-arm64", "darwin-x64")}

${system("linux", "linux-arm64", "linux-x64")}

  def install
    bin.install "${NAME}"
    generate_completions_from_executable(bin/"${NAME}", "completions")
    (man1/"${NAME}.1").write Utils.safe_popen_read(bin/"${NAME}", "man")
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/${NAME} --version").strip
    system bin/"${NAME}", "demo"
  end
end
`;
}

function scoop({ version, description, licence, repository, archives }: Release) {
  const { name, url, sha256 } = assetOf(archives, "win-x64");
  return {
    version,
    description,
    homepage: `https://github.com/${repository}`,
    license: licence,
    depends: "extras/vcredist2022",
    architecture: { "64bit": { url, hash: sha256 } },
    bin: `${NAME}.exe`,
    checkver: "github",
    autoupdate: {
      architecture: { "64bit": { url: url.replaceAll(version, "$version") } },
      hash: { url: url.replace(name, "SHA256SUMS").replaceAll(version, "$version") },
    },
  };
}

function registryEntry({ version, description, repository, bundles }: Release) {
  const transport = { type: "stdio" };
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: registryName({ repository }),
    title: "Holdfast",
    description,
    version,
    repository: { url: `https://github.com/${repository}`, source: "github" },
    packages: [
      {
        registryType: "npm",
        identifier: NAME,
        version,
        transport,
        packageArguments: [{ type: "positional", value: "mcp" }],
        environmentVariables: [{ name: "HOLDFAST_STORE", description: "Path of the store's file", isRequired: false }],
      },
      ...Object.values(bundles).map(({ url, sha256 }) => ({
        registryType: "mcpb",
        identifier: url,
        version,
        fileSha256: sha256,
        transport,
      })),
    ],
  };
}

/** What stands in `@…@` in the template is filled in. */
function filled(name: string, { version, repository }: Release): string {
  const values: Readonly<Record<string, string>> = {
    VERSION: version,
    DOWNLOADS: `https://github.com/${repository}/releases/download/v${version}`,
  };
  const template = readFileSync(new URL(`templates/${name}`, import.meta.url), "utf8");
  return template.replace(/@([A-Z]+)@/g, (whole, key: string) => values[key] ?? whole);
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

// What a release tells package managers and registries, held against their rules, and in step with the project.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, test } from "node:test";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { Ajv } from "ajv";
import manifest from "../../package.json" with { type: "json" };
import { TARGETS } from "../../scripts/build/targets.ts";
import { archive } from "../../scripts/release/archives.ts";
import { manifests } from "../../scripts/release/manifests.ts";
import { bundleManifest, npmManifest } from "../../scripts/release/packages.ts";
import { describeRelease } from "../../scripts/release/release.ts";
import { temporaryFolder } from "../support/temporary.ts";

const REPOSITORY = "example/holdfast";
const folder = temporaryFolder();
const made = (id: string, kind: string) => {
  const path = join(folder, `holdfast-${manifest.version}-${id}.${kind}`);
  writeFileSync(path, `${id} ${kind}`);
  return [id, path] as const;
};
const kindOf = (os: string) => os === "win32" ? "zip" : "tar.gz";
const release = describeRelease(REPOSITORY, {
  archives: Object.fromEntries(TARGETS.map(({ id, os }) => made(id, kindOf(os)))),
  bundles: Object.fromEntries(TARGETS.map(({ id }) => made(id, "mcpb"))),
});
const files = manifests(release);
const text = (path: string) => files[path] ?? "";
const ruby = spawnSync("ruby", ["--version"]).status === 0;

test("every manifest names this version, and no version twice", () => {
  for (const [path, content] of Object.entries(files).filter(([path]) => path !== "glama.json")) {
    const versions = new Set(content.match(/(?<=holdfast-|\/v|version": "|version "|version=')\d+\.\d+\.\d+/g));
    assertEquals([...versions], [manifest.version], path);
  }
  assertEquals(npmManifest(REPOSITORY).version, manifest.version);
});

describe("the Homebrew formula", () => {
  const formula = text("homebrew/Formula/holdfast.rb");

  test("is Ruby", { skip: !ruby && "there is no ruby" }, () => {
    const { stdout, stderr } = spawnSync("ruby", ["-c"], { input: formula, encoding: "utf8" });
    assertEquals([stdout.trim(), stderr], ["Syntax OK", ""]);
  });

  test("gives each system and processor its archive and sum", () => {
    for (const [id, { url, sha256 }] of Object.entries(release.archives)) {
      assertEquals(formula.includes(`url "${url}"\n      sha256 "${sha256}"`), id !== "win-x64", id);
    }
    for (const [system, id] of [["macos", "darwin"], ["linux", "linux"]] as const) {
      const block = formula.slice(formula.indexOf(`on_${system} do`));
      assert(block.indexOf(`${id}-arm64.tar.gz`) < block.indexOf("on_intel do"), id);
      assert(block.indexOf(`${id}-x64.tar.gz`) > block.indexOf("on_intel do"), id);
    }
  });
});

for (const [path, schema] of [["scoop/bucket/holdfast.json", "scoop.json"], ["server.json", "server.json"]] as const) {
  test(`${path} follows the published rules`, () => {
    const rules = JSON.parse(readFileSync(new URL(`../../scripts/release/schemas/${schema}`, import.meta.url), "utf8"));
    const valid = new Ajv({ strict: true, strictRequired: false, strictTypes: false }).compile(rules);
    const value: Record<string, unknown> = JSON.parse(text(path));
    assert(valid(value), JSON.stringify(valid.errors));
    assert(!valid({ ...value, version: undefined }), "the rules accept anything");
  });
}

test("the bundle for desktop hosts starts the file that is in it", () => {
  for (const target of TARGETS) {
    const { server, compatibility, version } = bundleManifest(target, REPOSITORY);
    assertStringIncludes(server.mcp_config.command, `/${server.entry_point}`);
    assertEquals([server.mcp_config.args, compatibility.platforms, version], [["mcp"], [target.os], manifest.version]);
  }
});

test("the npm package depends on nothing but the driver of its platform", () => {
  const made = npmManifest(REPOSITORY);
  assert(!("dependencies" in made) && !("scripts" in made));
  for (const { addon } of TARGETS) assertEquals(made.optionalDependencies[addon.package], manifest.dependencies.libsql);
});

describe("install.sh", () => {
  const system = `${process.platform}-${process.arch === "x64" ? "x64" : "arm64"}`;
  const name = `holdfast-${manifest.version}-${system}.tar.gz`;

  /** Runs it against a server that has these files. */
  async function install(served: Readonly<Record<string, Uint8Array>>) {
    const server = createServer(({ url = "" }, response) => {
      const file = served[url.slice(1)];
      response.writeHead(file ? 200 : 404).end(file);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const home = temporaryFolder();
    const script = join(home, "install.sh");
    writeFileSync(script, text("install.sh"));
    mkdirSync(join(home, "home"));
    const env = {
      PATH: process.env["PATH"],
      HOME: join(home, "home"),
      HOLDFAST_DOWNLOADS: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    };
    const child = spawn("sh", [script], { env });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => said += chunk);
    const status = await new Promise<number | null>((resolve) => child.on("close", resolve));
    server.close();
    const left = spawnSync("find", [".", "-type", "f"], { cwd: env.HOME, encoding: "utf8" }).stdout.trim();
    return { status, said, left };
  }

  async function program(): Promise<Uint8Array> {
    const output = join(temporaryFolder(), name);
    const bytes = Buffer.from(`#!/bin/sh\necho ${manifest.version}\n`);
    await archive(output, [{ path: "holdfast", bytes, executable: true }]);
    return readFileSync(output);
  }
  const sums = (bytes: Uint8Array) => Buffer.from(`${createHash("sha256").update(bytes).digest("hex")}  ${name}\n`);

  test("installs what the sums name, into one directory", async () => {
    const bytes = await program();
    const { status, said, left } = await install({ [name]: bytes, SHA256SUMS: sums(bytes) });
    assertEquals([status, left], [0, "./.local/bin/holdfast"], said);
    assertStringIncludes(said, `Holdfast ${manifest.version} is in `);
  });

  test("installs nothing that the sums do not name, or that is not there", async () => {
    const bytes = await program();
    for (
      const [served, why] of [
        [
          { [name]: bytes, SHA256SUMS: sums(Buffer.from("other")) },
          /is not what SHA256SUMS says; nothing was installed/,
        ],
        [{ [name]: bytes, SHA256SUMS: Buffer.from("") }, /SHA256SUMS does not name/],
        [{ SHA256SUMS: sums(bytes) }, /cannot be fetched/],
      ] as const
    ) {
      const { status, said, left } = await install(served);
      assertEquals([status, left], [1, ""]);
      assertMatch(said, why);
    }
  });
});

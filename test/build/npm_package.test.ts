// The npm package as a user gets it: installed from its tarball into an empty folder, run on the Node that is there.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { bundle } from "../../scripts/build/bundle.ts";
import { packNpm } from "../../scripts/release/packages.ts";
import { temporaryFolder } from "../support/temporary.ts";

test("the package runs where it is installed, and brings the driver of this platform alone", async () => {
  const folder = temporaryFolder();
  const made = { dist: join(folder, "dist"), folder };
  await bundle(made.dist);
  const tarball = await packNpm(made, "example/holdfast");
  const place = join(folder, "place");
  mkdirSync(place);
  writeFileSync(join(place, "package.json"), "{}");
  execFileSync("npm", ["install", "--no-audit", "--no-fund", tarball], { cwd: place, stdio: "ignore" });
  assertEquals(readdirSync(join(place, "node_modules")).filter((name) => !name.startsWith(".")), [
    "@libsql",
    "holdfast",
  ]);
  const program = join(place, "node_modules/holdfast/dist/holdfast.cjs");
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, "demo"], { cwd: place, encoding: "utf8" });
  assertEquals([status, stderr], [0, ""]);
  assertStringIncludes(stdout, "Checkpoint");
});

test("the bundle says so where Node is too old", async () => {
  const dist = join(temporaryFolder(), "dist");
  await bundle(dist);
  const old = `Object.defineProperty(process.versions, "node", { value: "20.20.2" }); require(${
    JSON.stringify(join(dist, "holdfast.cjs"))
  })`;
  const { status, stderr } = spawnSync(process.execPath, ["-e", old], { encoding: "utf8" });
  assertEquals(status, 1);
  assertMatch(stderr, /^holdfast: Cannot run on Node 20\.20\.2: 22\.18 or newer is needed\nTry: /);
});

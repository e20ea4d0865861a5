// Building twice, and from packages that are not what they should be.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { assertEquals, assertThrows } from "@std/assert";
import manifest from "../../package.json" with { type: "json" };
import { bundle } from "../../scripts/build/bundle.ts";
import { buildExecutable } from "../../scripts/build/executable.ts";
import { fetchPackage } from "../../scripts/build/packages.ts";
import { hostTarget, LIBSQL_VERSION, NODE_VERSION } from "../../scripts/build/targets.ts";
import { temporaryFolder } from "../support/temporary.ts";

const sumOf = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex");

test("buildExecutable() gives the same bytes twice, but for V8's code", async () => {
  const sums = [];
  for (let time = 0; time < 2; time++) {
    const folder = temporaryFolder();
    await bundle(join(folder, "dist"));
    await buildExecutable({ target: hostTarget(), dist: join(folder, "dist"), output: join(folder, "holdfast") });
    sums.push([sumOf(join(folder, "dist/holdfast.cjs")), sumOf(join(folder, "holdfast"))]);
  }
  assertEquals(sums[0], sums[1]);
});

test("fetchPackage() refuses a tarball with another sum", () => {
  const wrong = { package: hostTarget().addon.package, sha256: "0".repeat(64) };
  assertThrows(() => fetchPackage(wrong, LIBSQL_VERSION), Error, "may have been tampered with");
});

test("the table of targets names the versions the project is developed with", () => {
  assertEquals([NODE_VERSION, LIBSQL_VERSION], [manifest.devDependencies.node, manifest.dependencies.libsql]);
});

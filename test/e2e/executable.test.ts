// The executable where it may be put: what its first start writes, where, and what it does when it may not.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import SIZES from "../../scripts/build/sizes.json" with { type: "json" };
import { CANNOT_MOUNT, forbidPrograms, smallDisk, writeProtect } from "../support/machine.ts";
import { COMMAND, EXECUTABLE } from "../support/program.ts";
import { holdfast } from "../support/shell.ts";
import { surroundings } from "../support/stdio.ts";
import { temporaryFolder, temporaryStore } from "../support/temporary.ts";

const skip = !EXECUTABLE && "HOLDFAST_PROGRAM names no executable";
const ADD = ["add", "--agent-id", "a", "The port is 7410"];
const ADDON = /^libsql-[0-9a-f]{32}\.node$/;
const DAY = 24 * 60 * 60 * 1000;
const TOLERANCE = 0.03;

/** Every file under a folder. */
function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile()).map(({ name }) => name).sort();
}

/** A home with a cache that one start has filled. */
async function used() {
  const home = temporaryFolder();
  const env = { HOME: home };
  assertEquals((await holdfast(temporaryStore(), ADD, env)).status, 0);
  const cache = join(home, ".cache/holdfast");
  const [addon = ""] = readdirSync(cache);
  return { env, cache, addon: join(cache, addon) };
}

describe("the executable", { skip, concurrency: 2 }, () => {
  test("writes one file of its own, which its owner alone may write", async () => {
    const home = temporaryFolder();
    const store = join(home, "memory.db");
    assertEquals((await holdfast(store, ADD, { HOME: home, TMPDIR: home })).status, 0);
    const [addon = "", ...rest] = filesUnder(home);
    assertMatch(addon, ADDON);
    assertEquals(rest.filter((name) => !name.startsWith("memory.db")), []);
    assertEquals(statSync(join(home, ".cache/holdfast", addon)).mode & 0o077, 0);
    assertEquals(statSync(join(home, ".cache/holdfast")).mode & 0o077, 0);
  });

  test("starts eight times at once on an empty cache", async () => {
    const env = { HOME: temporaryFolder() };
    const store = temporaryStore();
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, at) => holdfast(store, ["add", "--agent-id", "a", `Fact number ${at}`], env)),
    );
    assertEquals(all.map(({ status, stderr }) => [status, stderr]), Array(8).fill([0, ""]));
    assertEquals(filesUnder(env.HOME).length, 1);
  });

  test("mends a cached file that was cut, or damaged at its right length", async () => {
    const { env, addon } = await used();
    const whole = readFileSync(addon);
    truncateSync(addon, 1000);
    assertEquals((await holdfast(temporaryStore(), ADD, env)).status, 0);
    assert(readFileSync(addon).equals(whole));
    writeFileSync(addon, new Uint8Array(whole.length));
    assertEquals((await holdfast(temporaryStore(), ADD, env)).status, 0);
    assert(readFileSync(addon).equals(whole));
  });

  test("removes what no version has used for long, and nothing else", async () => {
    const { env, cache, addon } = await used();
    const [old, recent, foreign] = [`libsql-${"0".repeat(32)}.node`, `libsql-${"1".repeat(32)}.node`, "notes.txt"];
    for (const name of [old, recent, foreign]) writeFileSync(join(cache, name), "x");
    for (const name of [old, foreign]) utimesSync(join(cache, name), new Date(0), new Date(Date.now() - 100 * DAY));
    renameSync(addon, join(cache, "elsewhere"));
    assertEquals((await holdfast(temporaryStore(), ADD, env)).status, 0);
    assertEquals(readdirSync(cache).filter((name) => name === old || name === recent || name === foreign), [
      recent,
      foreign,
    ]);
  });

  test("loads nothing from a cache that others can write", async () => {
    const { env, cache, addon } = await used();
    chmodSync(cache, 0o777);
    chmodSync(addon, 0o777);
    writeFileSync(addon, new Uint8Array(statSync(addon).size));
    const TMPDIR = temporaryFolder();
    assertEquals((await holdfast(temporaryStore(), ADD, { ...env, TMPDIR })).status, 0);
    assert(filesUnder(TMPDIR).some((name) => ADDON.test(name)));
  });

  test("works with a home that is read-only, and with none", { skip: CANNOT_MOUNT }, async () => {
    const TMPDIR = temporaryFolder();
    const home = temporaryFolder();
    const release = writeProtect(home);
    const { status } = await holdfast(temporaryStore(), ADD, { HOME: home, TMPDIR });
    release();
    assertEquals(status, 0);
    const { HOME: _, ...rest } = surroundings({ HOLDFAST_STORE: temporaryStore(), TMPDIR });
    assertEquals(spawnSync(COMMAND, ADD, { env: rest }).status, 0);
  });

  test("says what to do where nothing may be run, and HOLDFAST_CACHE does it", { skip: CANNOT_MOUNT }, async () => {
    const disk = smallDisk("64m");
    forbidPrograms(disk);
    for (const folder of ["home", "tmp"]) mkdirSync(join(disk, folder));
    const env = { HOME: join(disk, "home"), TMPDIR: join(disk, "tmp") };
    const refused = await holdfast(temporaryStore(), ADD, env);
    assertEquals(refused.status, 5);
    assertStringIncludes(
      refused.stderr,
      "annot load the database engine: no cache directory lets it be written and run",
    );
    assertStringIncludes(refused.stderr, "HOLDFAST_CACHE");
    assertEquals((await holdfast(temporaryStore(), ADD, { ...env, HOLDFAST_CACHE: temporaryFolder() })).status, 0);
  });

  test("obeys no NODE_OPTIONS", async () => {
    for (
      const NODE_OPTIONS of ["--require /nowhere.js", "--no-such-option", "--max-old-space-size=1", "--inspect-brk"]
    ) {
      assertEquals((await holdfast(temporaryStore(), ADD, { NODE_OPTIONS })).status, 0, NODE_OPTIONS);
    }
  });

  const unstripped = spawnSync("strip", ["--version"]).status !== 0 && "without strip it keeps Node's symbols";

  test("is as large as it was", { skip: unstripped }, () => {
    const change = statSync(COMMAND).size / SIZES.executable - 1;
    assert(
      Math.abs(change) <= TOLERANCE,
      `${(change * 100).toFixed(1)} %: if that is meant, set scripts/build/sizes.json`,
    );
  });
});

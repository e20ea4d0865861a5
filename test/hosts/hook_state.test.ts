// What hooks keep beside the store: per session, and lines that do not grow without end.
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { openHookState } from "../../src/hosts/hook_state.ts";
import { temporaryFolder } from "../support/temporary.ts";

test("a session remembers what it was shown until it forgets; others and nameless ones do not", () => {
  const folder = temporaryFolder();
  openHookState(folder).show("../s", ["a", "b"]);
  const state = openHookState(folder);
  assertEquals([[...state.shown("../s")], [...state.shown("t")]], [["a", "b"], []]);
  state.show("", ["c"]);
  assertEquals([...state.shown("")], []);
  assertEquals([state.isNew("../s", "x"), state.isNew("../s", "x"), state.isNew("../s", "y")], [true, false, true]);
  state.forget("../s");
  assertEquals([...state.shown("../s")], []);
});

test("sessions not seen for a week are swept when another starts", () => {
  const folder = temporaryFolder();
  const state = openHookState(folder);
  for (const session of ["old", "new"]) state.show(session, ["a"]);
  const [first = "", ...more] = readdirSync(join(folder, "sessions"));
  assertEquals(more.length, 1);
  const past = Date.now() / 1000 - 8 * 24 * 60 * 60;
  utimesSync(join(folder, "sessions", first), past, past);
  state.forget("another");
  assertEquals(readdirSync(join(folder, "sessions")), more);
});

test("runs read back, damage among them left out, and the log stays short", () => {
  const folder = temporaryFolder();
  const state = openHookState(folder);
  const run = { at: 1, host: "codex", event: "prompt", agentId: "a", characters: 9, ms: 5 };
  state.record(run);
  writeFileSync(join(folder, "runs.jsonl"), "half a li\n", { flag: "a" });
  state.record({ ...run, at: 2 });
  assertEquals(state.runs().map(({ at }) => at), [1, 2]);
  for (let at = 0; at < 2000; at++) state.fail(`${at} ${"x".repeat(480)}\nsecond line`);
  assert(statSync(join(folder, "log")).size < 600_000);
  const lines = readFileSync(join(folder, "log"), "utf8").trimEnd().split("\n");
  assertMatch(lines.at(-1) ?? "", /Z 1999 x+ ?/);
  assertEquals(lines.every((line) => /^\d{4}-\S+Z \d+ x/.test(line)), true);
  assertEquals((statSync(join(folder, "log")).mode & 0o777).toString(8), "600");
});

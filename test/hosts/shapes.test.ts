// Command lines as hosts' shells read them, and entries read back.
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { HOSTS } from "../../src/hosts/hosts.ts";
import { commandOf, hookCommand, hookEntry, isOurHook, serverEntry } from "../../src/hosts/shapes.ts";

test("hookCommand is one command line for a POSIX shell, whatever the paths hold", () => {
  for (const path of ["/opt/holdfast", '/a b/it\'s $HOME `x` "q"', "/ü/-x", "/a\\b", "/end\\"]) {
    const line = hookCommand(
      { command: "printf", args: ["%s\\n", path], env: {}, store: `${path}.db` },
      "prompt",
      "codex",
    );
    const said = execFileSync("/bin/sh", ["-c", line], { encoding: "utf8" }).split("\n").slice(0, -1);
    assertEquals(said, [path, "hook", "prompt", "--host", "codex", "--store", `${path}.db`], line);
  }
});

test("hookCommand writes Windows paths with slashes, which both of its shells take", () => {
  const start = { command: "C:\\Program Files\\holdfast.exe", args: [], env: {} };
  assertEquals(hookCommand(start, "prompt", "codex"), '"C:/Program Files/holdfast.exe" hook prompt --host codex');
});

test("isOurHook knows ours in every shape, of any version, for that host alone", () => {
  const line = hookCommand({ command: "/n", args: [], env: {} }, "session-start", "codex");
  for (const shape of ["groups", "milliseconds", "flat"] as const) {
    assertEquals(isOurHook(hookEntry(shape, line), "codex"), true, shape);
    assertEquals(isOurHook(hookEntry(shape, line), "cursor"), false, shape);
  }
  for (const other of [undefined, 7, "x", { command: "git hook session-start" }, { hooks: [] }]) {
    assertEquals(isOurHook(other, "codex"), false);
  }
});

test("commandOf reads back what serverEntry wrote, in every shape", () => {
  const start = { command: "/n", args: ["/m"], env: { A: "1" } };
  for (const { shape } of HOSTS) {
    assertEquals(commandOf(serverEntry(shape, start)), { ...start, args: ["/m", "mcp"] }, shape);
  }
  for (
    const other of [undefined, null, "x", [], {}, { command: 7 }, { command: "x", args: "y" }, { url: "https://x" }]
  ) {
    assertEquals(commandOf(other), undefined);
  }
});

// The server on Deno: by its task, and with no more than the permissions the documentation names.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { assert, assertEquals } from "@std/assert";
import { Server, surroundings } from "../support/stdio.ts";
import { temporaryStore } from "../support/temporary.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const DENO = `${ROOT}node_modules/.bin/deno`;
const documented = /\| `mcp`.*\| `(.*?)` \|/.exec(readFileSync(`${ROOT}docs/install.md`, "utf8"))?.[1]?.split(" ") ??
  [];

async function serves(words: readonly string[]): Promise<void> {
  const env = surroundings({ HOLDFAST_STORE: temporaryStore() });
  const server = new Server(spawn(DENO, words, { cwd: ROOT, env }));
  try {
    await server.initialize();
    await server.good("memory_add", { agent_id: "a", text: "The port is 7410" });
    assertEquals((await server.good("memory_search", { agent_id: "a", query: "which port?" }))["count"], 1);
    const { code } = await server.end();
    assertEquals([code, server.noise], [0, []], server.stderr);
  } finally {
    server.child.kill("SIGKILL");
  }
}

test("deno task start", () => serves(["task", "--quiet", "start"]));

test("deno run with the documented permissions", () => {
  assert(documented.length > 3);
  return serves(["run", "--no-prompt", ...documented, "src/main.ts", "mcp"]);
});

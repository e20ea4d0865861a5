// How the server leaves: soon, quietly, and never before what it owes is answered.
import { spawn } from "node:child_process";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { after, describe, test } from "node:test";
import { assert, assertEquals, assertLess } from "@std/assert";
import Libsql from "libsql";
import { COMMAND, FIRST, SHELL_WORDS } from "../support/program.ts";
import { type Exit, Server, start, surroundings } from "../support/stdio.ts";
import { temporaryFolder, temporaryStore } from "../support/temporary.ts";

/** The promise is one second. A busy machine takes several times as long as an idle one, what hangs for ever. Milliseconds. */
const SOON = 10_000;

const started: Server[] = [];
after(() => started.forEach(({ child }) => child.kill("SIGKILL")));

function begin(store: string, env: Record<string, string> = {}): Server {
  const server = start({ store, env });
  started.push(server);
  return server;
}

const add = (text: string) => ({ name: "memory_add", arguments: { agent_id: "a", text } });

function assertLeft(server: Server, { code, signal, took }: Exit): void {
  assertEquals([code, signal], [0, null], server.stderr);
  assertLess(took, SOON);
  assertEquals([server.noise, server.stderr], [[], ""]);
}

/** Keeps every other writer out until released. */
function lock(store: string): () => void {
  const holder = new Libsql(store);
  holder.exec("BEGIN IMMEDIATE");
  return () => holder.exec("COMMIT");
}

describe("the server leaves within a second", { concurrency: 3 }, () => {
  test("of the end of its input: at once, after initialize, after a call", async () => {
    const store = temporaryStore();
    const steps: readonly ((server: Server) => Promise<unknown>)[] = [
      () => Promise.resolve(),
      (server) => server.initialize(),
      (server) => server.good("memory_add", add("Told once").arguments),
    ];
    for (const step of steps) {
      const server = begin(store);
      await step(server);
      assertLeft(server, await server.end());
    }
  });

  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    test(`of ${signal}, idle`, async () => {
      const server = begin(temporaryStore());
      await server.good("memory_add", add("Told once").arguments);
      assertLeft(server, await server.kill(signal));
    });
  }

  test("of a signal, though a write waits for a lock", async () => {
    const store = temporaryStore();
    const server = begin(store);
    await server.good("memory_add", add("Told once").arguments);
    const release = lock(store);
    await server.send({ id: 1, method: "tools/call", params: add("Told while locked") });
    await sleep(200);
    const { code, took } = await server.kill("SIGTERM");
    release();
    assertEquals([code, server.noise], [0, []]);
    assertLess(took, SOON);
  });

  test("of a signal, though its input ended before and a write waits for a lock", async () => {
    const store = temporaryStore();
    const server = begin(store);
    await server.good("memory_add", add("Told once").arguments);
    const release = lock(store);
    await server.send({ id: 1, method: "tools/call", params: add("Told while locked") });
    void server.end();
    await sleep(300);
    const { code, took } = await server.kill("SIGTERM");
    release();
    assertEquals([code, server.noise], [0, []]);
    assertLess(took, SOON);
  });

  test("of its parent's death, though its input stays open", async () => {
    const words = JSON.stringify([...FIRST, "mcp", "--store", temporaryStore()]);
    const middle = new Server(spawn(process.execPath, [
      "-e",
      `require("node:child_process").spawn(${
        JSON.stringify(COMMAND)
      }, ${words}, { stdio: "inherit" }); setInterval(() => {}, 1000)`,
    ], { env: surroundings() }));
    started.push(middle);
    await middle.initialize();
    await middle.good("memory_add", add("Told through a middle process").arguments);
    const { took } = await middle.kill("SIGKILL"); // its pipes close when the server, who shares them, is gone too
    assertLess(took, SOON);
    assertEquals(middle.noise, []);
  });
});

describe("the server answers what it owes", { concurrency: 3 }, () => {
  test("a request in flight when its input ends, the first one too", async () => {
    const server = begin(temporaryStore());
    await server.send({ id: 1, method: "tools/call", params: add("Told last") });
    const exit = await server.end();
    assertLeft(server, exit);
    assertEquals(server.messages.map(({ id, result }) => [id, result?.["isError"] ?? false]), [[1, false]]);
  });

  test("a last line that has no end", async () => {
    const server = begin(temporaryStore());
    await server.write('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    assertLeft(server, await server.end());
    assertEquals(server.messages.map(({ id }) => id), [1]);
  });

  test("a write that waits for a lock when its input ends, and many behind it", async () => {
    const store = temporaryStore();
    const server = begin(store);
    await server.good("memory_add", add("Told once").arguments);
    const release = lock(store);
    for (let id = 0; id < 20; id++) {
      await server.send({ id, method: "tools/call", params: add(`Told at the end ${id}`) });
    }
    const exit = server.end();
    await sleep(1000);
    assertEquals(server.messages.filter(({ id }) => Number(id) < 20), []);
    release();
    assertEquals((await exit).code, 0);
    const answers = server.messages.filter(({ id }) => Number(id) < 20);
    assertEquals(answers.map(({ id }) => Number(id)).sort((a, b) => a - b), Array.from({ length: 20 }, (_, id) => id));
    assert(answers.every(({ result }) => result?.["structuredContent"]));
  });
});

describe("a reader that goes away", { concurrency: 2 }, () => {
  test("from standard output: a quiet exit", async () => {
    const server = begin(temporaryStore());
    await server.initialize();
    server.child.stdout?.destroy();
    for (let id = 0; id < 5; id++) await server.send({ id, method: "ping" });
    const { code, took } = await server.end();
    assertEquals([code, server.stderr], [0, ""]);
    assertLess(took, SOON);
  });

  test("from both outputs, input still open: exits all the same", async () => {
    const server = begin("/dev/null/store.db");
    await server.initialize();
    server.child.stdout?.destroy();
    server.child.stderr?.destroy();
    const since = performance.now();
    await server.send({ id: 1, method: "tools/call", params: add("Told to nobody") });
    await server.send({ id: 2, method: "ping" });
    assertEquals((await server.exited).code, 0);
    assertLess(performance.now() - since, SOON);
  });
});

test("twenty sessions opened and dropped leave no lock and no process behind", async () => {
  const store = temporaryStore();
  const sessions = Array.from({ length: 20 }, () => begin(store));
  await Promise.all(sessions.map(async (server, at) => {
    if (at % 2 === 0) await server.good("memory_add", add(`Told in session ${at}`).arguments);
    await (at % 4 < 2 ? server.end() : server.kill("SIGKILL"));
  }));
  const last = begin(store);
  const { count } = await last.good("memory_search", { agent_id: "a", query: "told in session", top_k: 50 });
  assertEquals(count, 10);
  assertLeft(last, await last.end());
});

test("a working directory that was deleted is no obstacle where the store is absolute", async () => {
  const store = temporaryStore();
  const gone = temporaryFolder();
  const words = `cd '${gone}' && rmdir '${gone}' && exec ${SHELL_WORDS} mcp --store '${store}'`;
  const server = new Server(spawn("sh", ["-c", words], { env: surroundings() }));
  started.push(server);
  await server.good("memory_add", add("Told from nowhere").arguments);
  assertEquals((await server.end()).code, 0);
  assertEquals(server.noise, []);
});

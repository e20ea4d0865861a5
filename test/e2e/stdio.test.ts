// The wire as bytes: versions, framing, what is not a message, and that nothing else ever stands on standard output.
import { Buffer } from "node:buffer";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { EXECUTABLE } from "../support/program.ts";
import { type Message, type Server, withServer } from "../support/stdio.ts";
import { temporaryFolder, temporaryStore } from "../support/temporary.ts";

const NEWEST = "2025-11-25";
const PING = '{"jsonrpc":"2.0","id":"after","method":"ping"}\n';

/** What the server says to these bytes, up to its answer to a ping sent after them. */
async function said(server: Server, bytes: string | Uint8Array): Promise<Message[]> {
  const from = server.messages.length;
  await server.write(bytes);
  await server.write(PING);
  await server.receive(({ id }) => id === "after", from);
  return server.messages.slice(from).filter(({ id }) => id !== "after");
}

/** Of each message, in any order: a refusal may overtake an answer. */
const codes = (messages: readonly Message[]) => messages.map(({ id, error }) => [id, error?.code] as const).sort(byId);
const byId = (a: readonly unknown[], b: readonly unknown[]) => String(a[0]).localeCompare(String(b[0]));

describe("initialize", { concurrency: 3 }, () => {
  const clientInfo = { name: "raw", version: "1" };
  for (const version of ["2024-11-05", "2025-03-26", "2025-06-18", NEWEST]) {
    test(`echoes ${version}`, () =>
      withServer({ store: temporaryStore() }, async (server) => {
        const { result } = await server.initialize(version);
        assertEquals(result?.["protocolVersion"], version);
        await server.send({ method: "notifications/initialized" });
        const { result: listed } = await server.request("tools/list");
        assertEquals((listed?.["tools"] as unknown[]).length, 5);
      }));
  }

  test("answers an unknown version with the newest it knows", () =>
    withServer({ store: temporaryStore() }, async (server) => {
      for (const version of ["1900-01-01", "2099-01-01", "", "latest"]) {
        assertEquals((await server.initialize(version)).result?.["protocolVersion"], NEWEST, version);
      }
    }));

  test("refuses a version that is missing or no text as invalid params, in one line, and lives", () =>
    withServer({ store: temporaryStore() }, async (server) => {
      for (const wrong of [{}, { protocolVersion: 5 }, { protocolVersion: null }]) {
        const { error } = await server.request("initialize", { ...wrong, capabilities: {}, clientInfo });
        assertEquals(error?.code, -32602, JSON.stringify(wrong));
        assertMatch(error?.message ?? "", /^[^\n]{1,300}$/);
      }
      assertEquals((await server.initialize()).result?.["protocolVersion"], NEWEST);
    }));

  test("twice is harmless, and a call before it is answered", () =>
    withServer({ store: temporaryStore() }, async (server) => {
      await server.good("memory_add", { agent_id: "a", text: "Told before initialize" });
      for (let time = 0; time < 2; time++) assert((await server.initialize()).result);
      assertEquals((await server.good("memory_search", { agent_id: "a", query: "told" }))["count"], 1);
    }));

  test("is answered while the store cannot be used", () =>
    withServer({ store: "/dev/null/store.db" }, async (server) => {
      assert((await server.initialize()).result);
      assert((await server.request("tools/list")).result);
      assertMatch(
        await server.fault("memory_search", { agent_id: "a", query: "x" }),
        /^Cannot search memory for agent/,
      );
    }));

  test("is not needed in the era after it", () =>
    withServer({ store: temporaryStore() }, async (server) => {
      const of = (key: string) => `io.modelcontextprotocol/${key}`;
      const _meta = {
        [of("protocolVersion")]: "2026-07-28",
        [of("clientInfo")]: clientInfo,
        [of("clientCapabilities")]: {},
      };
      const { result } = await server.request("server/discover", { _meta });
      assertEquals(result?.["supportedVersions"], ["2026-07-28"]);
      const params = { _meta, name: "memory_add", arguments: { agent_id: "a", text: "Told without initialize" } };
      const added = (await server.request("tools/call", params)).result?.["structuredContent"];
      assertEquals((added as { stored: unknown }).stored, true);
      assertEquals((await server.request("no/such", { _meta })).error?.code, -32601);
    }));
});

test("what is no message gets the protocol's error, and the good ones around it are answered", () =>
  withServer({ store: temporaryStore() }, async (server) => {
    const ping = (id: unknown) => JSON.stringify({ jsonrpc: "2.0", id, method: "ping" });
    const rows: readonly (readonly [string, readonly (readonly [unknown, number | undefined])[]])[] = [
      [`${ping(1)}\n{"jsonrpc": "2.0", "id": 2,\n${ping(3)}\n`, [[1, undefined], [null, -32700], [3, undefined]]],
      [`[${ping(1)},${ping(2)}]\n`, [[null, -32600]]],
      ["[]\n", [[null, -32600]]],
      ['5\n"x"\nnull\n', [[null, -32600], [null, -32600], [null, -32600]]],
      ['{"id":4,"method":"ping"}\n', [[4, -32600]]],
      ['{"jsonrpc":"2.0","id":5,"method":7}\n', [[5, -32600]]],
      ['{"jsonrpc":"2.0","id":{},"method":"ping"}\n', [[null, -32600]]],
      ['{"jsonrpc":"2.0","id":6,"method":"no/such"}\n', [[6, -32601]]],
      ['{"jsonrpc":"2.0","id":7,"result":{}}\n', []],
      ['{"jsonrpc":"2.0","method":"notifications/no_such"}\n', []],
      [`${"[".repeat(100_000)}\n`, [[null, -32700]]],
      [`${ping(8)}\u0000\n`, [[null, -32700]]],
    ];
    for (const [bytes, expected] of rows) {
      assertEquals(codes(await said(server, bytes)), [...expected].sort(byId), bytes.slice(0, 80));
    }
  }));

test("ids come back as they were sent: texts, zero, empty, twice the same", () =>
  withServer({ store: temporaryStore() }, async (server) => {
    for (const id of [0, -1, "", "0", "a b", "ü".repeat(500), 2 ** 53 - 1]) {
      assertEquals((await server.request("ping", undefined, id)).id, id);
    }
    const call = JSON.stringify({
      jsonrpc: "2.0",
      id: 0,
      method: "tools/call",
      params: { name: "memory_add", arguments: { agent_id: "a", text: "One of two" } },
    });
    const from = server.messages.length;
    await server.write(`${call}\n${call}\n`);
    while (server.messages.length < from + 2) await server.receive(() => true, server.messages.length);
    assertEquals(server.messages.slice(from).map(({ id }) => id), [0, 0]);
  }));

test("CRLF, blank lines and a byte order mark are no obstacle", () =>
  withServer({ store: temporaryStore() }, async (server) => {
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    for (const bytes of [`${ping}\r\n`, `\r\n\n \t\n${ping}\n\n`, `  ${ping}  \n`, `\ufeff${ping}\n`]) {
      assertEquals(codes(await said(server, bytes)), [[1, undefined]], JSON.stringify(bytes));
    }
  }));

test("a message cut at every byte, inside a character too, arrives whole", () =>
  withServer({ store: temporaryStore() }, async (server) => {
    const text = "Zoë’s 👩‍🚀 wrote 漢字 on ĵaŭdo 🇺🇳";
    const params = { name: "memory_add", arguments: { agent_id: "a", text } };
    const line = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })}\n`;
    for (const byte of Buffer.from(line)) {
      await server.write(Buffer.of(byte));
      await new Promise(setImmediate);
    }
    assert((await server.receive(({ id }) => id === 1)).result);
    const found = await server.good("memory_search", { agent_id: "a", query: "ĵaŭdo" });
    assertEquals(found["facts"], [text]);
  }));

test("a line of 20 MB is refused and the server lives on", () =>
  withServer({ store: temporaryStore() }, async (server) => {
    const params = { name: "memory_add", arguments: { agent_id: "a", text: "x".repeat(20e6) } };
    const line = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })}\n`;
    const [answer, ...more] = await said(server, line);
    assertEquals(more, []);
    assertEquals(answer?.error?.code, -32600);
    assertStringIncludes(answer?.error?.message ?? "", "Message too large: at most 16777216 bytes");
    assertMatch(
      await server.fault("memory_add", { agent_id: "a", text: "x".repeat(200_000) }),
      /at most 100000 characters/,
    );
  }));

test("pipelined calls are answered each with its own id", () =>
  withServer({ store: temporaryStore() }, async (server) => {
    const add = (id: number) => ({
      id,
      params: { name: "memory_add", arguments: { agent_id: `agent ${id}`, text: "Same" } },
    });
    await Promise.all(Array.from({ length: 100 }, (_, id) => server.send({ ...add(id), method: "tools/call" })));
    for (let id = 0; id < 100; id++) {
      const { result } = await server.receive((message) => message.id === id);
      assertEquals((result?.["structuredContent"] as { agent_id: string }).agent_id, `agent ${id}`);
    }
  }));

test("arguments that are no object are refused in words that name them", () =>
  withServer({ store: temporaryStore() }, async (server) => {
    for (const given of [[], "x", 5, true]) {
      const { result, error } = await server.request("tools/call", { name: "memory_search", arguments: given });
      const text = (result?.["content"] as { text: string }[] | undefined)?.[0]?.text ?? error?.message ?? "";
      assertMatch(text, /^[^\n]*arguments[^\n]*$/, text);
    }
    assertMatch(await server.fault("memory_search"), /agent_id must be a string \(was missing\)/);
  }));

const NEEDS_OPTIONS = EXECUTABLE && "the executable obeys no NODE_OPTIONS";

test("stray output lands on standard error", { skip: NEEDS_OPTIONS }, async () => {
  const preload = join(temporaryFolder(), "stray.mjs");
  const stray = ["log", "info", "debug", "dir", "table", "group", "count", "timeEnd", "trace", "warn"]
    .map((method) => `console.${method}("stray");`).join("");
  writeFileSync(
    preload,
    `process.on("SIGUSR2", () => { ${stray} process.stdout.write("stray\\n"); process.emitWarning("stray"); Promise.reject("stray"); });`,
  );
  const NODE_OPTIONS = `--trace-warnings --import ${pathToFileURL(preload)}`;
  await withServer({ store: temporaryStore(), env: { NODE_OPTIONS, NODE_DEBUG: "net,module" } }, async (server) => {
    await server.initialize();
    for (let time = 0; time < 3; time++) {
      server.child.kill("SIGUSR2");
      await server.good("memory_add", { agent_id: "a", text: `Told beside a stray line ${time}` });
    }
    while (!server.stderr.includes("unhandled rejection: stray")) await server.request("ping");
    assertEquals(server.noise, []);
  });
});

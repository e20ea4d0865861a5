// Real processes on one real server: nobody waits for the network, loses an update, or shows a token.
import { spawn } from "node:child_process";
import { after, before, describe, test } from "node:test";
import { assert, assertEquals, assertGreater, assertLess, assertMatch } from "@std/assert";
import { createClient } from "@libsql/client/http";
import { openMemory } from "../../src/memory/open.ts";
import { COMMAND, FIRST } from "../support/program.ts";
import { type Proxy, startProxy } from "../support/proxy.ts";
import { holdfast } from "../support/shell.ts";
import { NO_SQLD, type Sqld, startSqld } from "../support/sqld.ts";
import { type Server, start, surroundings, textOf, withServer } from "../support/stdio.ts";
import { settings } from "../support/stores.ts";
import { temporaryFolder, temporaryStore } from "../support/temporary.ts";

const WRITERS = 8;
const ROUNDS = 3;
const agent_id = "crowd";

describe("processes on a server", { skip: NO_SQLD }, () => {
  let server: Sqld;
  let proxy: Proxy;
  before(async () => {
    server = await startSqld();
    proxy = await startProxy(server.port);
  });
  after(async () => {
    await proxy.close();
    await server.kill();
  });
  const counts = async (sql: string) => (await createClient({ url: server.url }).execute(sql)).rows[0]?.["n"];

  test("every command that reads does so on a server too", async () => {
    const env = { HOLDFAST_STATE: temporaryFolder() };
    const { stdout } = await holdfast(server.url, [
      "add",
      "The gateway listens on port 7410",
      "--agent-id",
      "reader",
      "--json",
    ], env);
    const { fact_id: id } = JSON.parse(stdout);
    for (
      const [words, sentence] of [
        [["list", "--agent-id", "reader"], /1 of 1 facts of agent "reader"/],
        [["show", id], /agent +reader/],
        [["history", id], /The gateway listens on port 7410/],
        [["status"], /Holdfast .*, store http:\/\/127.*\n[^]*reader/],
        [["doctor", "--host", "claude-code"], /✓ The store opens: \d+ facts, schema \d+\n✓ Its index is in step/],
      ] as const
    ) {
      const ran = await holdfast(server.url, words, env);
      assertMatch(ran.stdout, sentence, ran.stderr);
    }
  });

  test("eight that add, update and forget the same facts lose and double nothing", async () => {
    const writers = await Promise.all(Array.from({ length: WRITERS }, async () => {
      const writer = start({ store: server.url });
      await writer.initialize();
      return writer;
    }));
    await writers[0]?.good("memory_add", { agent_id, text: "The counter is 0" });
    const done = await Promise.all(writers.map((writer, at) => work(writer, at)));
    const forgotten = (await Promise.all(writers.map(forget))).flat();
    for (const writer of writers) {
      assertEquals(writer.noise, []);
      assertEquals((await writer.end()).code, 0);
    }
    const updates = done.reduce((sum, one) => sum + one.updates, 0);
    assertEquals(updates, WRITERS * ROUNDS);
    const live = "FROM facts WHERE retired_at IS NULL";
    assertEquals(
      await counts(`SELECT text AS n ${live} AND text LIKE 'The counter is %'`),
      `The counter is ${updates}`,
    );
    assertEquals(await counts(`SELECT count(*) AS n ${live} AND text LIKE 'Own %'`), WRITERS * ROUNDS);
    assertEquals(await counts("SELECT count(*) AS n FROM facts WHERE text LIKE 'Common %'"), ROUNDS);
    assertEquals(forgotten.length, ROUNDS, "each common fact was forgotten by one process");
    assertEquals(new Set(forgotten).size, ROUNDS);
    assertGreater(done.reduce((sum, one) => sum + one.conflicts, 0), 0, "they met");
  });

  /** Read, add one, write back; after a conflict again: what a lost update would lose. */
  async function work(writer: Server, at: number) {
    const told = { updates: 0, conflicts: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      await writer.good("memory_add", { agent_id, text: `Own fact ${round} of writer ${at}` });
      await writer.good("memory_add", { agent_id, text: `Common fact ${round}` });
      for (let updated = false; !updated;) {
        const { facts } = await writer.good("memory_search", { agent_id, query: "what is the counter", top_k: 1 });
        const [target = ""] = facts as string[];
        const text = `The counter is ${Number(target.replace(/\D/g, "")) + 1}`;
        const reply = await writer.call("memory_reflect", { action: "update", agent_id, target, text });
        updated = reply.isError !== true;
        if (updated) told.updates++;
        else {
          assertMatch(
            textOf(reply),
            /^Cannot update: the memory .* was replaced\nIt now says "The counter is \d+" \(id \w{12}\)/,
          );
          told.conflicts++;
        }
      }
    }
    return told;
  }

  async function forget(writer: Server): Promise<string[]> {
    const forgotten: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const reply = await writer.call("memory_reflect", { action: "forget", agent_id, target: `Common fact ${round}` });
      if (reply.isError) assertMatch(textOf(reply), /^Cannot forget: no memory/);
      else forgotten.push(...reply.structuredContent?.["retired"] as string[]);
    }
    return forgotten;
  }

  test("eight that open an empty server at once make one store", async () => {
    await server.wipe();
    const ran = await Promise.all(
      Array.from(
        { length: WRITERS },
        (_, at) => holdfast(server.url, ["add", "--agent-id", "a", `Fact of process ${at}`]),
      ),
    );
    assertEquals(ran.map(({ status, stderr }) => [status, stderr]), ran.map(() => [0, ""]));
    assertEquals(await counts("SELECT count(*) AS n FROM facts"), WRITERS);
  });

  test("the handshake never waits for a server that stalls; calls tell, and work once it is back", async () => {
    proxy.trouble("swallow");
    await withServer({ store: proxy.url, env: { HOLDFAST_STORE_TIMEOUT_MS: "300" } }, async (mcp) => {
      const begin = performance.now();
      await mcp.initialize();
      assert((await mcp.request("tools/list")).result);
      assertLess(performance.now() - begin, 5000);
      const before = proxy.requests;
      assertEquals(before, proxy.requests, "nothing was asked of the server");
      assertEquals(
        (await mcp.fault("memory_search", { agent_id: "a", query: "fact" })).split("\n")[0],
        'Cannot search memory for agent "a": cannot use the store: its server did not answer in time',
      );
      proxy.heal();
      for (;;) {
        const reply = await mcp.call("memory_add", { agent_id: "a", text: "Told when all was well again" });
        if (!reply.isError) break;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      assertEquals((await mcp.good("memory_search", { agent_id: "a", query: "told well" }))["count"], 1);
    });
  });

  test("every command takes the server's URL", async () => {
    await server.wipe();
    const run = (...words: string[]) =>
      holdfast("/nowhere", [...words, "--store", server.url, "--agent-id", "a", "--json"]);
    const added = await run("add", "The API listens on port 7410");
    assertEquals([added.status, added.stderr], [0, ""]);
    const { fact_id: target } = JSON.parse(added.stdout);
    assertEquals(JSON.parse((await run("search", "which port")).stdout).count, 1);
    const updated = await run("reflect", "update", "--target", target, "--text", "The API listens on port 7411");
    assertEquals(JSON.parse(updated.stdout).retired, [target]);
    const again = await run("reflect", "update", "--target", target, "--text", "The API listens on port 7412");
    assertEquals(again.status, 4);
    assertMatch(
      again.stderr,
      /^holdfast: Cannot update: .* was replaced\nTry: It now says "The API listens on port 7411"/,
    );
    assertEquals((await run("checkpoint", "save", "--state", '{"step":1}')).status, 0);
    assertEquals(JSON.parse((await run("checkpoint", "resume")).stdout).state, { step: 1 });
  });

  test("a server that is away has the exit status of what may be tried again", async () => {
    const { status, stderr } = await holdfast("http://127.0.0.1:1", ["search", "--agent-id", "a", "x"]);
    assertEquals(status, 75);
    assertMatch(
      stderr,
      /^holdfast: Cannot search memory for agent "a": cannot reach the store: its server does not answer\nTry: /,
    );
  });

  test("a token is never shown, whatever goes wrong, and never taken from the command line", async () => {
    const guarded = await startSqld({ tokens: true });
    const secret = guarded.token("rw");
    const words = ["search", "--agent-id", "a", "anything"];
    const tries = await Promise.all([
      holdfast(guarded.url, words, { HOLDFAST_AUTH_TOKEN: secret }),
      holdfast(guarded.url, words, { TURSO_AUTH_TOKEN: secret }),
      holdfast("", words, { TURSO_AUTH_TOKEN: secret, TURSO_DATABASE_URL: guarded.url }),
      holdfast(guarded.url, words, { HOLDFAST_AUTH_TOKEN: `${secret}x` }),
      holdfast(guarded.url, words),
      holdfast(`${guarded.url}/?authToken=${secret}`, words),
      holdfast("http://127.0.0.1:1", words, { HOLDFAST_AUTH_TOKEN: secret }),
    ]);
    assertEquals(tries.map(({ status }) => status), [0, 0, 0, 5, 5, 2, 75]);
    for (const { stdout, stderr } of tries) assert(!`${stdout}${stderr}`.includes(secret.slice(0, 20)), stderr);
    await guarded.kill();
  });

  test("copy to the server, killed on the way and run again, and back to a file: the same store", async () => {
    await server.wipe();
    const [store, back] = [temporaryStore(), temporaryStore()];
    const memory = await openMemory(settings({ store }));
    const told = Array.from({ length: 1200 }, (_, at) => `Service ${at} listens on port ${at + 7000}`);
    for (const [at, text] of told.entries()) await memory.add({ agentId: "a", text, sessionId: `s${at % 40}` });
    await memory.close();
    const killed = spawn(COMMAND, [...FIRST, "copy", "--from", store, "--to", server.url], {
      env: surroundings(),
    });
    await new Promise<void>((resolve) =>
      killed.stderr.on("data", (chunk) => String(chunk).includes("sessions") && resolve())
    );
    killed.kill("SIGKILL");
    const run = (from: string, to: string) => holdfast("/nowhere", ["copy", "--from", from, "--to", to]);
    const again = await run(store, server.url);
    assertEquals(again.status, 0, again.stderr);
    assertEquals(await counts("SELECT count(*) AS n FROM facts"), told.length);
    const last = await run(store, server.url);
    assertMatch(last.stdout, /^facts: 1200; sha256 \w{16}$/m);
    assertEquals((await run(server.url, back)).stdout.replaceAll(", 1200 added", ""), last.stdout);
    const found = await holdfast(back, ["search", "--agent-id", "a", "port of service 77", "--top-k", "1", "--json"]);
    assertEquals(JSON.parse(found.stdout).facts, ["Service 77 listens on port 7077"]);
  });

  test("copy tells what it cannot do", async () => {
    const store = temporaryStore();
    const rows: readonly (readonly [words: string[], status: number, sentence: string])[] = [
      [["--to", store], 2, "Cannot copy: --from is missing"],
      [["--from", store, "--to", store], 2, "Cannot copy: --from and --to are the same store"],
      [["--from", store, "--to", server.url], 5, "Cannot copy: there is no store at --from"],
      [["--from", server.url, "--to", "libsql://other"], 2, "Cannot copy from a server to a server"],
      [["--from", "http://127.0.0.1:1", "--to", store], 75, "Cannot reach the store: its server does not answer"],
    ];
    for (const [words, status, sentence] of rows) {
      const ran = await holdfast("/nowhere", ["copy", ...words]);
      assertEquals(
        [ran.status, ran.stdout, ran.stderr.startsWith(`holdfast: ${sentence}`)],
        [status, "", true],
        ran.stderr,
      );
    }
  });
});

// A real server behind a bad network: what each fault is told as, what is sent again, and what it costs.
import { after, test } from "node:test";
import { assert, assertEquals, assertGreaterOrEqual, assertLess, assertRejects } from "@std/assert";
import { createClient } from "@libsql/client/http";
import type { Config } from "../../src/core/config.ts";
import { MemoryError } from "../../src/core/errors.ts";
import { type Database, sql } from "../../src/store/database.ts";
import { openRemote } from "../../src/store/remote.ts";
import { SCHEMA_VERSION } from "../../src/store/schema.ts";
import { startProxy, type Trouble } from "../support/proxy.ts";
import { NO_SQLD, startSqld } from "../support/sqld.ts";
import { rows } from "../support/stores.ts";

const settings = (store: string, over: Partial<NonNullable<Config["server"]>> = {}): Config => ({
  store,
  server: { deadline: 400, ...over },
  durability: "normal",
  busyTimeout: 2000,
});
const put = (key: string) => sql("INSERT OR IGNORE INTO meta (key, value) VALUES (?1, '')", key);
const ask = (database: Database) => database.read([sql("SELECT 1 AS one")]);
const fault = async (work: Promise<unknown>) => {
  const { code, message } = await assertRejects(() => work, MemoryError);
  return [code, message];
};

if (NO_SQLD) test("a server of our own", { skip: NO_SQLD }, () => {});
else {
  const server = await startSqld();
  const proxy = await startProxy(server.port);
  after(async () => {
    await proxy.close();
    await server.kill();
  });
  const raw = createClient({ url: server.url });
  const keys = async () => (await raw.execute("SELECT key FROM meta ORDER BY key")).rows.map(({ key }) => key);
  const fresh = async () => {
    proxy.heal();
    await server.wipe();
    const database = openRemote(settings(proxy.url));
    await ask(database);
    return database;
  };

  test("openRemote asks nothing until it is used; then once what is there, and one request a batch", async () => {
    const database = await fresh();
    proxy.requests = 0;
    const other = openRemote(settings(proxy.url));
    assertEquals(proxy.requests, 0);
    await ask(other);
    assertEquals(proxy.requests, 2);
    await other.write([put("a"), put("b"), sql("SELECT key FROM meta")]);
    await database.read([sql("SELECT 1"), sql("SELECT 2")]);
    assertEquals(proxy.requests, 4);
  });

  test("a value comes back as it went: whole numbers, fractions, text, bytes, nothing", async () => {
    const database = await fresh();
    const values = [7, 2 ** 53 - 1, -1, 0.5, "é\n", "", null];
    const [[row] = []] = await database.read([
      sql(
        `SELECT ${values.map((_, at) => `?${at + 1} AS v${at}, typeof(?${at + 1}) AS t${at}`).join(", ")}`,
        ...values,
      ),
    ]);
    assertEquals(values.map((_, at) => row?.[`v${at}`]), values);
    assertEquals(values.map((_, at) => row?.[`t${at}`]), [
      "integer",
      "integer",
      "integer",
      "real",
      "text",
      "text",
      "null",
    ]);
    const bytes = new Uint8Array([9, 0, 255, 1]).subarray(1);
    const [[blob] = []] = await database.read([sql("SELECT hex(?1) AS hex, ?1 AS blob", bytes)]);
    assertEquals(blob?.["hex"], "00FF01");
    assertEquals(new Uint8Array(blob?.["blob"] as ArrayBuffer), new Uint8Array([0, 255, 1]));
  });

  test("answers come plain on one machine and in gzip from elsewhere, never in Brotli: that takes a server long", async () => {
    await ask(await fresh());
    assertEquals(proxy.head.match(/^accept-encoding: .*$/gim), ["accept-encoding: identity"]);
    await ask(openRemote(settings(proxy.url.replace("127.0.0.1", "0.0.0.0")))); // the same machine by another name
    assertEquals(proxy.head.match(/^accept-encoding: .*$/gim), ["accept-encoding: gzip"]);
  });

  test("write stores all of a batch or nothing", async () => {
    const database = await fresh();
    const failed = await fault(database.write([put("a"), sql("INSERT INTO meta (key) VALUES ('b')"), put("c")]));
    assertEquals(failed[0], "store_failed");
    assertEquals(await keys(), []);
    await database.write([put("d")]);
    assertEquals(await keys(), ["d"]);
  });

  const ONCE: readonly Trouble[] = ["swallow", "cut", "lose", "shorten", "damage", {
    status: 502,
    type: "text/html",
    body: "<html>Bad gateway</html>",
  }];
  for (const trouble of ONCE) {
    const name = typeof trouble === "string" ? trouble : trouble.status;
    test(`one ${name} on the way is not noticed, and a write has one effect`, async () => {
      const database = await fresh();
      proxy.trouble(trouble, 1);
      assertEquals((await ask(database))[0]?.map((row) => row["one"]), [1]);
      proxy.trouble(trouble, 1);
      await database.write([sql("INSERT INTO meta (key, value) VALUES ('n', '1') ON CONFLICT DO NOTHING")]);
      assertEquals(await keys(), ["n"]);
    });
  }

  const html = { status: 502, type: "text/html", body: "<html>Bad gateway</html>" };
  const AWAY: readonly (readonly [Trouble, read: string, write: string])[] = [
    ["swallow", "Cannot use the store: its server did not answer in time", "store_unsure"],
    ["lose", "Cannot reach the store: its server does not answer", "store_unsure"],
    ["damage", "Cannot use the store: the answer of its server was cut short or damaged", "store_unsure"],
    [html, "Cannot reach the store: its server does not answer", "store_unsure"],
    [{ ...html, status: 503 }, "Cannot reach the store: its server does not answer", "store_away"],
  ];
  for (const [trouble, sentence, code] of AWAY) {
    const name = typeof trouble === "string" ? trouble : trouble.status;
    test(`${name} again and again: told, then failed at once, and well again by itself`, async () => {
      const database = await fresh();
      proxy.trouble(trouble);
      assertEquals(await fault(ask(database)), ["store_away", sentence]);
      const before = proxy.requests;
      const start = performance.now();
      assertEquals(await fault(ask(database)), ["store_away", sentence]);
      assertEquals((await fault(database.write([put("a")])))[0], "store_away");
      assertLess(performance.now() - start, 100);
      assertEquals(proxy.requests, before, "nothing is sent while the server rests");
      proxy.heal();
      await new Promise((resolve) => setTimeout(resolve, 1050));
      await ask(database);
      proxy.trouble(trouble);
      const unsure = await fault(database.write([put("b")]));
      assertEquals(unsure[0], code);
      if (code === "store_unsure") assert(unsure[1]?.startsWith("Cannot tell whether it was stored: "));
    });
  }

  test("a stall is given up after the deadline twice", async () => {
    const database = await fresh();
    proxy.trouble("swallow");
    const start = performance.now();
    await fault(ask(database));
    const took = performance.now() - start;
    assertGreaterOrEqual(took, 790);
    assertLess(took, 2000);
  });

  test("after a rest one call asks, the others still fail at once, and the rest doubles", async () => {
    const database = await fresh();
    proxy.trouble("cut");
    await fault(ask(database));
    await new Promise((resolve) => setTimeout(resolve, 1050));
    proxy.requests = 0;
    await Promise.all([fault(ask(database)), fault(ask(database)), fault(ask(database))]);
    assertEquals(proxy.requests, 1);
    proxy.heal();
    await new Promise((resolve) => setTimeout(resolve, 1050));
    const { hint } = await assertRejects(() => ask(database), MemoryError);
    assertEquals(hint, "The server is asked again in 1 s; call again then");
    await new Promise((resolve) => setTimeout(resolve, 1050));
    await Promise.all([ask(database), ask(database).catch(() => {})]);
    await ask(database);
  });

  test("a server that dies is away, in the middle of a batch too, and used again when it is back", async () => {
    const database = await fresh();
    await database.write([put("a")]);
    const slow = database.write([
      put("b"),
      sql("WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 30000000) SELECT max(n) FROM c"),
    ]);
    const outcome = fault(slow);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await server.kill();
    assertEquals((await outcome)[0], "store_unsure");
    await server.restart();
    await new Promise((resolve) => setTimeout(resolve, 1050));
    await database.write([put("c")]);
    assertEquals(await keys(), ["a", "c"]);
    const away = openRemote(settings(server.url));
    await server.kill();
    const start = performance.now();
    assertEquals(await fault(ask(away)), ["store_away", "Cannot reach the store: its server does not answer"]);
    assertEquals(await fault(away.write([put("d")])), [
      "store_away",
      "Cannot reach the store: its server does not answer",
    ]);
    assertLess(performance.now() - start, 3000);
    await server.restart();
  });

  const WRONG: readonly (readonly [string, Trouble, string])[] = [
    ["a web page", { status: 200, type: "text/html", body: "<html>Hello</html>" }, "no libSQL server"],
    ["another JSON service", { status: 200, type: "application/json", body: '{"hello":"you"}' }, "no libSQL server"],
    ["a redirect", { status: 302, type: "text/html", body: "" }, "no libSQL server"],
    ["405", { status: 405, type: "text/plain", body: "no" }, "no libSQL server"],
    ["404", { status: 404, type: "application/json", body: '{"error":"Namespace"}' }, "no database at this address"],
    ["413", { status: 413, type: "text/plain", body: "" }, "refused to pass on that much at once"],
    ["500", { status: 500, type: "text/plain", body: "panic" }, "its server failed"],
  ];
  for (const [name, trouble, sentence] of WRONG) {
    test(`${name} in place of a server is told as what it is, without a wait`, async () => {
      proxy.trouble(trouble);
      const start = performance.now();
      const [, message] = await fault(ask(openRemote(settings(proxy.url))));
      assert(message?.includes(sentence), message);
      assertLess(performance.now() - start, 400);
    });
  }

  test("a body over the server's limit is refused, and the next call works", async () => {
    const database = await fresh();
    const large = "x".repeat(20_000_000);
    const over = openRemote(settings(server.url, { deadline: 10_000 }));
    const sentence = "Cannot use the store: its server refused to pass on that much at once";
    assertEquals(await fault(over.write([sql("INSERT INTO meta VALUES ('large', ?1)", large)])), [
      "store_failed",
      sentence,
    ]);
    assertEquals(
      await fault(over.read([sql("SELECT hex(zeroblob(4000000)) AS a, hex(zeroblob(4000000)) AS b")])),
      ["store_failed", sentence],
    );
    await database.write([put("small")]);
    assertEquals(await keys(), ["small"]);
  });

  test("an unknown host, and a port where nothing listens", async () => {
    const unknown = await fault(ask(openRemote(settings("http://holdfast.invalid"))));
    assertEquals(unknown, ["store_away", "Cannot reach the store: no server has its host name"]);
    const nobody = await fault(ask(openRemote(settings("http://127.0.0.1:1"))));
    assertEquals(nobody, ["store_away", "Cannot reach the store: its server does not answer"]);
  });

  test("a database of another program is refused and left as it is", async () => {
    await server.wipe();
    await raw.execute("CREATE TABLE bookmarks (url)");
    for (const _ of [1, 2]) {
      const refused = await fault(openRemote(settings(server.url)).write([put("a")]));
      assertEquals(refused, ["store_foreign", "Cannot open the store: the database at its URL is another program's"]);
    }
    assertEquals((await raw.execute("SELECT name FROM sqlite_schema")).rows.map(({ name }) => name), ["bookmarks"]);
  });

  test("many clients that find an empty database make one schema", async () => {
    await server.wipe();
    const clients = Array.from({ length: 12 }, () => openRemote(settings(server.url, { deadline: 5000 })));
    await Promise.all(clients.map((client, at) => client.write([put(`k${at}`)])));
    assertEquals((await keys()).length, 12);
    const [[state] = []] = await clients[0]?.read([sql("PRAGMA user_version")]) ?? [];
    assertEquals(state?.["user_version"], SCHEMA_VERSION);
  });

  test("a client older than the schema refuses to open, and one that was open already refuses to write", async () => {
    const database = await fresh();
    await raw.execute(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
    const sentence = `Cannot open the store: its schema is version ${
      SCHEMA_VERSION + 1
    }, this Holdfast knows ${SCHEMA_VERSION}`;
    assertEquals(await fault(database.write([put("a")])), ["store_newer", sentence]);
    assertEquals(await fault(ask(openRemote(settings(server.url)))), ["store_newer", sentence]);
    assertEquals(await keys(), []);
  });

  test("a database put back to nothing is made anew by the next write", async () => {
    const database = await fresh();
    await database.write([put("a")]);
    await server.wipe();
    await database.write([put("b")]);
    assertEquals(await keys(), ["b"]);
    await server.wipe();
    await fault(rows(database, "SELECT key FROM meta"));
    assertEquals(await rows(database, "SELECT key FROM meta"), []);
  });

  test("close: later calls fail, closing twice does not", async () => {
    const database = await fresh();
    await database.close();
    await database.close();
    assertEquals(await fault(ask(database)), ["store_failed", "Cannot use the store: it was closed"]);
  });

  const guarded = await startSqld({ tokens: true });
  after(() => guarded.kill());
  const open = (token?: string) => openRemote(settings(guarded.url, token === undefined ? {} : { token }));

  test("a token: none, a wrong one, one of the past: each is told, and none is shown", async () => {
    const past = guarded.token("rw", 1000);
    assertEquals(await fault(ask(open())), ["store_denied", "Cannot open the store: its server asks for a token"]);
    assertEquals(await fault(ask(open("a.b.c"))), [
      "store_denied",
      "Cannot open the store: its server refused the token",
    ]);
    assertEquals(await fault(ask(open(past))), ["store_denied", "Cannot open the store: its token has expired"]);
    const error = await assertRejects(() => ask(open(past)), MemoryError);
    assert(!`${error.message} ${error.hint} ${error.cause}`.includes(past));
  });

  test("a token that reads alone: refused on a new database, then reads and says why it cannot write", async () => {
    const reader = open(guarded.token("ro"));
    assertEquals((await fault(ask(reader)))[0], "store_read_only");
    await open(guarded.token("rw")).write([put("a")]);
    assertEquals((await rows(reader, "SELECT key FROM meta")).map(({ key }) => key), ["a"]);
    assertEquals(await fault(reader.write([put("b")])), [
      "store_read_only",
      "Cannot write to the store: its token allows reading alone",
    ]);
    await ask(reader);
  });
}

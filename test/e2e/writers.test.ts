// Eight processes write to one file at once: what was acknowledged is there afterwards. And the naive way is not enough.
import { execFileSync } from "node:child_process";
import process from "node:process";
import { test } from "node:test";
import { assert, assertEquals, assertGreater, assertMatch } from "@std/assert";
import Libsql from "libsql";
import { start, surroundings, textOf, withServer } from "../support/stdio.ts";
import { temporaryStore } from "../support/temporary.ts";

const WRITERS = 8;
const EACH = 25;
/** Sent at once by each writer, so that they meet. */
const AT_ONCE = 5;

/** Which of these are not in the file, as another process sees it. */
function missing(store: string, table: string, column: string, acknowledged: readonly string[]): string[] {
  const db = new Libsql(store);
  const present = new Set(
    db.prepare(`SELECT ${column} AS value FROM ${table}`).all([]).map((row) => (row as { value: string }).value),
  );
  db.close();
  return acknowledged.filter((one) => !present.has(one));
}

function integrity(store: string): unknown {
  const db = new Libsql(store);
  const [row] = db.prepare("PRAGMA integrity_check").all([]);
  db.exec("INSERT INTO fts (fts) VALUES ('integrity-check')");
  db.close();
  return (row as { integrity_check: unknown }).integrity_check;
}

interface Told {
  readonly id: string;
  readonly text: string;
}

/** One process's adds: those acknowledged, and what the others were told. */
async function write(store: string, writer: number, timeout: number): Promise<{ acked: Told[]; faults: string[] }> {
  const server = start({ store, env: { HOLDFAST_BUSY_TIMEOUT_MS: String(timeout) } });
  const acked: Told[] = [];
  const faults: string[] = [];
  try {
    await server.initialize();
    const texts = Array.from(
      { length: EACH },
      (_, at) => `Writer${writer}x${at} told what number${writer}x${at} means`,
    );
    for (let at = 0; at < EACH; at += AT_ONCE) {
      await Promise.all(
        texts.slice(at, at + AT_ONCE).map(async (text) => {
          const reply = await server.call("memory_add", { agent_id: "crowd", text });
          if (reply.isError) faults.push(textOf(reply));
          else acked.push({ id: String(reply.structuredContent?.["fact_id"]), text });
        }),
      );
    }
    assertEquals(server.noise, []);
    assertEquals((await server.end()).code, 0);
  } finally {
    server.child.kill("SIGKILL");
  }
  return { acked, faults };
}

for (const timeout of [1, 50, 5000]) {
  test(`eight processes with a time-out of ${timeout} ms lose nothing that was acknowledged`, async () => {
    const store = temporaryStore();
    const done = await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(store, writer, timeout)));
    const acked = done.flatMap((one) => one.acked);
    const faults = done.flatMap((one) => one.faults);
    assertEquals(acked.length + faults.length, WRITERS * EACH);
    for (const fault of faults) {
      assertMatch(
        fault,
        /^Cannot store the memory for agent "crowd": cannot write to the store: other processes kept it locked\nNothing was stored; call again$/,
      );
    }
    if (timeout === 5000) assertEquals(faults, []);
    assertGreater(acked.length, timeout === 1 ? 0 : EACH);
    assertEquals(missing(store, "facts", "fact_id", acked.map(({ id }) => id)), []);
    assertEquals(new Set(acked.map(({ id }) => id)).size, acked.length);
    assertEquals(integrity(store), "ok");
    await withServer({ store }, async (server) => {
      await Promise.all(acked.map(async ({ id, text }) => {
        const found = await server.good("memory_search", { agent_id: "crowd", query: text, top_k: 1 });
        assertEquals(found["facts"], [text], id);
      }));
    });
  });
}

test("the naive way, autocommit on a connection that was busy once, loses what it acknowledged", () => {
  const store = temporaryStore();
  const setup = new Libsql(store);
  setup.exec("PRAGMA journal_mode = WAL; CREATE TABLE facts (text TEXT)");
  const naive = `
    import Libsql from "libsql";
    const [holder, writer] = [new Libsql(process.argv[1]), new Libsql(process.argv[1], { timeout: 1 })];
    const insert = (text) => writer.prepare("INSERT INTO facts VALUES (?)").run([text]);
    insert("before");
    holder.exec("BEGIN IMMEDIATE");
    let busy = "no";
    try { insert("busy"); } catch (error) { busy = error.code; }
    holder.exec("COMMIT");
    insert("after"); // returns as if it were stored
    console.log(JSON.stringify({ busy, acked: ["before", "after"] }));
  `;
  const words = ["--input-type=module", "-e", naive, store];
  const { busy, acked } = JSON.parse(
    execFileSync(process.execPath, words, { encoding: "utf8", cwd: import.meta.dirname, env: surroundings() }),
  );
  assertEquals(busy, "SQLITE_BUSY");
  assertEquals(missing(store, "facts", "text", acked), ["after"]);
  setup.close();
});

test("a server that met a busy store commits what it acknowledges next", async () => {
  const store = temporaryStore();
  const server = start({ store, env: { HOLDFAST_BUSY_TIMEOUT_MS: "1" } });
  try {
    const add = (text: string) => server.call("memory_add", { agent_id: "a", text });
    await add("Told before");
    const holder = new Libsql(store);
    for (let round = 0; round < 5; round++) {
      holder.exec("BEGIN IMMEDIATE");
      const refused = await add(`Told while locked ${round}`);
      assertEquals(refused.isError, true);
      holder.exec("COMMIT");
      const { structuredContent } = await add(`Told after ${round}`);
      assert(structuredContent);
      const id = String(structuredContent["fact_id"]);
      assertEquals(missing(store, "facts", "fact_id", [id]), []);
    }
    holder.close();
  } finally {
    await server.kill("SIGKILL"); // no farewell: what was acknowledged must be there already
  }
  assertEquals(integrity(store), "ok");
  await withServer({ store }, async (again) => {
    const { facts } = await again.good("memory_search", { agent_id: "a", query: "told after", top_k: 20 });
    for (let round = 0; round < 5; round++) assert((facts as string[]).includes(`Told after ${round}`), String(round));
    assert(!(facts as string[]).some((fact) => fact.includes("while locked")));
  });
});

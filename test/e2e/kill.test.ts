// kill -9 in mid-write, twenty times: nothing acknowledged is lost, and an update is never both facts or neither.
import { closeSync, copyFileSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { after, test } from "node:test";
import { assert, assertEquals, assertGreater } from "@std/assert";
import Libsql from "libsql";
import { type Message, type Server, start, withServer } from "../support/stdio.ts";
import { temporaryStore } from "../support/temporary.ts";

/** Two servers each time, so that one may die while the other writes: twenty kills. */
const SERVERS = 2;
const ROUNDS = 10;
const IN_FLIGHT = 40;

const started: Server[] = [];
after(() => started.forEach(({ child }) => child.kill("SIGKILL")));

interface Sent {
  readonly text: string;
  readonly replaces: string | undefined;
  acked: boolean;
}

/** Adds and updates in turn, all sent at once; killed when some are answered and the others are not. */
async function writeAndDie(store: string, name: string, answers: number): Promise<Sent[]> {
  const server = start({ store });
  started.push(server);
  await server.initialize();
  const sent: Sent[] = [];
  for (let id = 0; id < IN_FLIGHT; id++) {
    const replaces = id % 2 === 1 ? sent[id - 1]?.text : undefined;
    const text = replaces === undefined ? `Fact ${name}x${id}` : `Fact ${name}x${id} instead`;
    sent.push({ text, replaces, acked: false });
    const target = replaces === undefined ? {} : { target: replaces };
    const args = { action: replaces === undefined ? "add" : "update", agent_id: "a", text, ...target };
    await server.send({ id, method: "tools/call", params: { name: "memory_reflect", arguments: args } });
  }
  const isAnswer = ({ id }: Message) => typeof id === "number" && id < IN_FLIGHT;
  while (server.messages.filter(isAnswer).length < answers) await server.receive(isAnswer, server.messages.length);
  await server.kill("SIGKILL");
  for (const { id, result } of server.messages.filter(isAnswer)) {
    const one = sent[Number(id)];
    if (one && result?.["structuredContent"]) one.acked = true;
  }
  return sent;
}

/** Live texts, and those that were retired. */
function states(store: string): { live: Set<string>; retired: Set<string>; integrity: unknown } {
  const db = new Libsql(store);
  const texts = (where: string) =>
    new Set(
      db.prepare(`SELECT text FROM facts WHERE retired_at IS ${where}`).all([]).map((row) =>
        (row as { text: string }).text
      ),
    );
  const [row] = db.prepare("PRAGMA integrity_check").all([]);
  db.exec("INSERT INTO fts (fts) VALUES ('integrity-check')");
  const found = {
    live: texts("NULL"),
    retired: texts("NOT NULL"),
    integrity: (row as { integrity_check: unknown }).integrity_check,
  };
  db.close();
  return found;
}

test("kill -9 in mid-write, twenty times", async () => {
  const store = temporaryStore();
  const all: Sent[] = [];
  let torn = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const rounds = Array.from(
      { length: SERVERS },
      (_, at) => writeAndDie(store, `r${round}s${at}`, 2 + (round * 7 + at * 3) % 30),
    );
    const sent = (await Promise.all(rounds)).flat();
    all.push(...sent);
    torn += sent.filter(({ acked }) => !acked).length;
    const { live, retired, integrity } = states(store);
    assertEquals(integrity, "ok", `round ${round}`);
    for (const { text, replaces, acked } of all) {
      if (acked) assert(live.has(text) || retired.has(text), `${text} was acknowledged and is lost`);
      if (replaces === undefined) continue;
      if (acked) assertEquals([live.has(replaces), live.has(text)], [false, true], text);
      if (live.has(replaces) || retired.has(replaces)) {
        assertEquals(live.has(replaces), !live.has(text), `${text}: both or neither`);
      }
    }
  }
  assertGreater(torn, ROUNDS, "the kills came too late to tell anything");
  assertGreater(all.filter(({ acked }) => acked).length, ROUNDS);
  await withServer({ store }, async (server) => {
    for (const { text } of all.filter(({ acked, replaces }) => acked && replaces !== undefined)) {
      const { facts } = await server.good("memory_search", { agent_id: "a", query: text, top_k: 1 });
      assertEquals(facts, [text]);
    }
  });
});

test("death in the middle of a checkpoint: the log still holds what the file lacks", async () => {
  const store = temporaryStore();
  await withServer({ store }, (server) => server.good("memory_add", { agent_id: "a", text: "Told first" }));
  const server = start({ store });
  started.push(server);
  const { structuredContent } = await server.call("memory_add", {
    agent_id: "a",
    text: `Told last ${"of all ".repeat(5000)}`,
  });
  assert(structuredContent);
  await server.kill("SIGKILL");
  const done = temporaryStore();
  for (const end of ["", "-wal"]) copyFileSync(store + end, done + end);
  const db = new Libsql(done);
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  assert(statSync(done).size > statSync(store).size);
  const file = openSync(store, "r+"); // pages are copied in order, and the first one holds the new size
  writeSync(file, readFileSync(done), 0, 4096, 0);
  closeSync(file);
  db.close();
  await withServer({ store }, async (again) => {
    const { count } = await again.good("memory_search", { agent_id: "a", query: "told" });
    assertEquals(count, 2);
  });
  assertEquals(states(store).integrity, "ok");
});

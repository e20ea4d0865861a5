// A file that is no store, or no longer: the sentence for it, a server that lives on, and nothing lost or overwritten.
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { before, describe, test } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import Libsql from "libsql";
import {
  ASK,
  assertFault,
  assertUsable,
  copyOf,
  DAMAGED,
  healthy,
  LOST,
  NOT_DATABASE,
  prepare,
} from "../support/faults.ts";
import { withServer } from "../support/stdio.ts";

before(prepare);

describe("a file that is no store of ours", { concurrency: 3 }, () => {
  const foreign = (path: string, statements: string) => {
    rmSync(path);
    const db = new Libsql(path);
    db.exec(statements);
    db.close();
  };
  const rows: Readonly<Record<string, readonly [spoil: (path: string) => void, fault: string]>> = {
    "text": [(path) => writeFileSync(path, "Dear diary\n".repeat(50)), NOT_DATABASE],
    "a few bytes": [(path) => writeFileSync(path, "SQLite format 3\u0000"), NOT_DATABASE],
    "cut in half": [(path) => truncateSync(path, Math.floor(statSync(path).size / 2)), DAMAGED],
    "cut to its first page": [(path) => truncateSync(path, 4096), DAMAGED],
    "garbage after its first page": [(path) => {
      writeFileSync(path, readFileSync(path).fill(0xab, 4096));
    }, DAMAGED],
    "of another program": [
      (path) => foreign(path, "CREATE TABLE notes (body); INSERT INTO notes VALUES ('mine')"),
      "cannot open the store: its file is a database of another program",
    ],
    "of a newer Holdfast": [
      (path) =>
        foreign(path, "PRAGMA application_id = 1213156420; PRAGMA user_version = 99; CREATE TABLE facts (text)"),
      "cannot open the store: its schema is version 99, this Holdfast knows",
    ],
  };
  for (const [name, [spoil, fault]] of Object.entries(rows)) {
    test(`${name}: told, left byte for byte, and its place usable once a store is there`, async () => {
      const store = copyOf();
      spoil(store);
      const found = readFileSync(store);
      await withServer({ store }, async (server) => {
        await assertFault(server, store, fault);
        assert(readFileSync(store).equals(found), "the file was changed");
        assertEquals(readdirSync(dirname(store)).filter((file) => !/^store\.db(-wal|-shm)?$/.test(file)), []);
        cpSync(join(healthy, "store.db"), `${store}.new`);
        rmSync(`${store}-wal`, { force: true });
        rmSync(`${store}-shm`, { force: true });
        renameSync(`${store}.new`, store);
        await assertUsable(server);
      });
    });
  }
});

describe("a store that changes under an open server", { concurrency: 3 }, () => {
  test("deleted, then put back", async () => {
    const store = copyOf();
    await withServer({ store }, async (server) => {
      await assertUsable(server);
      const folder = dirname(store);
      for (const [from, to] of [[store, `${store}.away`], [folder, `${folder}.away`]] as const) {
        renameSync(from, to);
        await assertFault(server, store, LOST);
        assertEquals([from, to].map((path) => statSync(path, { throwIfNoEntry: false }) !== undefined), [false, true]);
        renameSync(to, from);
        await assertUsable(server);
      }
    });
  });

  test("deleted, then replaced by a backup", async () => {
    const store = copyOf();
    await withServer({ store }, async (server) => {
      await assertUsable(server);
      rmSync(dirname(store), { recursive: true });
      await assertFault(server, store, LOST);
      cpSync(healthy, dirname(store), { recursive: true });
      await assertUsable(server);
    });
  });

  test("cut short: answered from what is in memory or told as damage, and the server lives", async () => {
    const store = copyOf();
    await withServer({ store }, async (server) => {
      await assertUsable(server);
      truncateSync(store, 20_000);
      const { result } = await server.request("tools/call", { name: "memory_search", arguments: ASK });
      const { content: [said] } = result as { content: { text: string }[] };
      assertMatch(said?.text ?? "", /^(Found|Cannot search memory for agent "a": cannot \w+ the store: )/);
      assert((await server.request("ping")).result);
    });
  });

  test("a checkpoint that cannot be decoded is an error in both modes, and names its id", async () => {
    const store = copyOf();
    const db = new Libsql(store);
    db.exec(`UPDATE checkpoints SET state = '{"step":'`);
    db.close();
    await withServer({ store }, async (server) => {
      for (const on_missing of ["error", "empty"]) {
        const text = await server.fault("checkpoint_resume", { agent_id: "a", on_missing });
        assertMatch(
          text,
          /^Cannot resume checkpoint for agent "a": cannot read checkpoint "\w{12}": its record is damaged\n/,
        );
      }
    });
  });
});

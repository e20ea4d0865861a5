// A place where a store cannot be kept: the sentence for it, a server that lives on, and nothing written elsewhere.
import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { before, describe, test } from "node:test";
import { assertEquals, assertStringIncludes } from "@std/assert";
import {
  ASK,
  assertFault,
  assertIntact,
  assertUsable,
  copyOf,
  DENIED,
  FACT,
  FULL,
  healthy,
  LARGE,
  MISSING,
  prepare,
  READ_ONLY,
  tell,
  TOOLS,
  WRITES,
} from "../support/faults.ts";
import {
  CANNOT_BE_NOBODY,
  CANNOT_MOUNT,
  givenAway,
  NOBODY,
  resizeDisk,
  smallDisk,
  writeProtect,
} from "../support/machine.ts";
import { withServer } from "../support/stdio.ts";
import { temporaryFolder } from "../support/temporary.ts";

before(prepare);

describe("a disk without space", { skip: CANNOT_MOUNT, concurrency: 2 }, () => {
  test("found while writing: told, read on, and usable when there is space", async () => {
    const disk = smallDisk("2m");
    await withServer({ store: join(disk, "store.db") }, async (server) => {
      await server.good("memory_add", tell(FACT));
      await server.good("checkpoint_save", { agent_id: "a", state: { step: 3 } });
      let last = await server.call("memory_add", tell(LARGE));
      for (let at = 0; last.isError !== true; at++) {
        last = await server.call("memory_add", { agent_id: "b", text: `${at} ${LARGE}` });
      }
      for (let at = 0; at < 3; at++) {
        const text = await server.fault("checkpoint_save", { agent_id: "a", state: { large: "x".repeat(1e6) } });
        assertStringIncludes(text, `Cannot save checkpoint for agent "a": ${FULL}`);
      }
      assertEquals((await server.good("memory_search", { ...ASK, top_k: 1 }))["facts"], [FACT]);
      resizeDisk(disk, "16m");
      await server.good("memory_reflect", { action: "forget", agent_id: "a", target: LARGE });
      await assertUsable(server);
    });
  });

  test("found at the start", async () => {
    const disk = smallDisk("1m");
    cpSync(join(healthy, "store.db"), join(disk, "store.db"));
    try {
      writeFileSync(join(disk, "filler"), Buffer.alloc(2e6));
    } catch {
      // Full, as it should be.
    }
    await withServer({ store: join(disk, "store.db") }, async (server) => {
      await assertFault(server, disk, FULL, WRITES);
      rmSync(join(disk, "filler"));
      await assertUsable(server);
    });
    await withServer({ store: join(disk, "new.db") }, (server) => server.good("memory_add", tell(FACT)));
  });
});

describe("a store without the rights to write it", { skip: CANNOT_BE_NOBODY, concurrency: 3 }, () => {
  const uid = NOBODY;
  for (
    const [name, rights] of Object.entries({
      file: { folder: 0o755, files: 0o444 },
      directory: { folder: 0o555, files: 0o644 },
      "file and directory": { folder: 0o555, files: 0o444 },
    })
  ) {
    test(`a read-only ${name}: read all the same, and usable when it is writable`, async () => {
      const folder = givenAway(healthy, rights);
      const store = join(folder, "store.db");
      await withServer({ store, uid }, async (server) => {
        await assertFault(server, store, READ_ONLY, WRITES);
        await assertIntact(server);
        chmodSync(folder, 0o755);
        chmodSync(store, 0o644);
        await assertUsable(server);
      });
    });
  }

  test("a file or a directory that may not be read", async () => {
    for (const rights of [{ folder: 0o755, files: 0 }, { folder: 0, files: 0o644 }]) {
      const folder = givenAway(healthy, rights);
      const store = join(folder, "store.db");
      await withServer({ store, uid }, async (server) => {
        await assertFault(server, store, DENIED);
        chmodSync(folder, 0o755);
        chmodSync(store, 0o644);
        await assertUsable(server);
      });
    }
  });

  test("a read-only mount: read all the same", { skip: CANNOT_MOUNT }, async () => {
    const store = copyOf();
    const release = writeProtect(dirname(store));
    try {
      await withServer({ store }, async (server) => {
        await assertFault(server, store, READ_ONLY, WRITES);
        await assertIntact(server);
      });
    } finally {
      release();
    }
  });
});

describe("a place that cannot be", { concurrency: 3 }, () => {
  test("a directory that is missing and cannot be made", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "file"), "");
    for (const store of [join(folder, "file/store.db"), join(folder, `${"n".repeat(300)}/store.db`)]) {
      await withServer({ store }, (server) => assertFault(server, store, MISSING));
    }
    assertEquals(readdirSync(folder), ["file"]);
  });

  test(
    "a directory that the system says is not there after making it",
    { skip: process.platform !== "linux" && "/proc" },
    () => withServer({ store: "/proc/holdfast/store.db" }, (server) => assertFault(server, "/proc/holdfast", MISSING)),
  );

  test("a directory that another user owns", { skip: CANNOT_BE_NOBODY }, async () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o755);
    for (const store of [join(folder, "store.db"), join(folder, "a/b/store.db")]) {
      await withServer({ store, uid: NOBODY }, (server) => assertFault(server, store, DENIED));
    }
    assertEquals(readdirSync(folder), []);
  });

  test("no home directory, or the root: told, and nothing is written there or here", async () => {
    const cwd = temporaryFolder();
    const sentence =
      "Cannot find a place for the store: HOME names no home directory\nSet HOLDFAST_STORE, or give --store, to the path of a file";
    const root = readdirSync("/");
    for (const HOME of ["/", "relative", ""]) {
      await withServer({ cwd, env: { HOME, XDG_DATA_HOME: "relative/too" } }, async (server) => {
        for (const [name, args] of TOOLS) assertEquals(await server.fault(name, args), sentence);
      });
    }
    assertEquals([readdirSync("/"), readdirSync(cwd)], [root, []]);
  });

  test(
    "no HOME at all: the data directory of the user as the system knows it, or XDG's",
    { skip: CANNOT_BE_NOBODY },
    async () => {
      const cwd = temporaryFolder();
      chmodSync(cwd, 0o755);
      await withServer(
        { cwd, uid: NOBODY, env: { HOME: undefined } },
        (server) => assertFault(server, "/nonexistent", DENIED),
      );
      const data = join(temporaryFolder(), "data");
      await withServer(
        { cwd, env: { HOME: undefined, XDG_DATA_HOME: data } },
        (server) => server.good("memory_add", tell(FACT)),
      );
      assertEquals(readdirSync(join(data, "holdfast")), ["holdfast.db"]);
      assertEquals(
        [data, join(data, "holdfast"), join(data, "holdfast/holdfast.db")].map((path) => statSync(path).mode & 0o777),
        [
          0o700,
          0o700,
          0o600,
        ],
      );
      mkdirSync(join(cwd, ".holdfast"));
      mkdirSync(join(cwd, "deep/er"), { recursive: true });
      await withServer(
        { cwd: join(cwd, "deep/er"), env: { HOME: "/" } },
        (server) => server.good("memory_add", tell(FACT)),
      );
      assertEquals(readdirSync(join(cwd, ".holdfast")), ["holdfast.db"]);
    },
  );
});

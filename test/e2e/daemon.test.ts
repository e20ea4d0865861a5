// The daemon as its user meets it: started, found, used by hosts, shell and hooks, killed, and never in the way.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { after, describe, test } from "node:test";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { COMMAND, FIRST } from "../support/program.ts";
import { holdfast } from "../support/shell.ts";
import { Server, start, surroundings, withServer } from "../support/stdio.ts";
import { temporaryFolder, temporaryStore } from "../support/temporary.ts";

interface Ground {
  readonly store: string;
  readonly env: Readonly<Record<string, string>>;
}

const started: number[] = [];
after(() => started.forEach(end));

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

function ground(): Ground {
  return { store: temporaryStore(), env: { HOLDFAST_STATE: temporaryFolder() } };
}

const words = (at: Ground, ...given: string[]) => holdfast(at.store, given, at.env);

async function daemon(at: Ground, ...flags: string[]): Promise<number> {
  const { status, stdout, stderr } = await words(at, "daemon", "start", "--json", ...flags);
  assertEquals(status, 0, stderr);
  const { pid } = JSON.parse(stdout);
  started.push(pid);
  return pid;
}

const folderOf = ({ env }: Ground) => {
  const all = join(env["HOLDFAST_STATE"] ?? "", "daemon");
  return join(all, readdirSync(all)[0] ?? "");
};
const cardOf = (at: Ground) => JSON.parse(readFileSync(join(folderOf(at), "daemon.json"), "utf8"));
const journalOf = (at: Ground) =>
  readFileSync(join(folderOf(at), "log.jsonl"), "utf8").trim().split("\n").map((line) => JSON.parse(line));
const clientsOf = async (at: Ground) => JSON.parse((await words(at, "daemon", "status", "--json")).stdout).clients;

async function gone(pid: number): Promise<void> {
  for (let tries = 0; existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(statusOf(pid)); tries++) {
    assert(tries < 400, `process ${pid} lives on`);
    await sleep(25);
  }
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "State: Z";
  }
}

const fact = (text: string) => ({ agent_id: "a", text });

describe("a daemon", { concurrency: 3 }, () => {
  test("start, status, stop: ready when told so, one for a store, gone when told so", async () => {
    const at = ground();
    assertEquals((await words(at, "daemon", "status")).stdout, "No daemon runs for this store.\n");
    const pid = await daemon(at);
    assertEquals(await daemon(at), pid);
    const second = await words(at, "daemon", "run");
    assertEquals([second.status, second.stdout], [4, ""]);
    assertMatch(second.stderr, new RegExp(`A daemon for this store runs already \\(process ${pid}\\)`));
    const { stdout } = await words(at, "daemon", "status");
    assertMatch(
      stdout,
      new RegExp(`^process +${pid}, since .*\\nversion +\\d.*\\nstore +.*, 0 facts, .*\\nclients +0\\nmemory +\\d`),
    );
    assertEquals((await words(at, "daemon", "stop")).stdout, `The daemon (process ${pid}) has stopped.\n`);
    assertEquals(journalOf(at).map(({ event }) => event), ["start", "stop", "end"]);
    assertEquals((await words(at, "daemon", "stop")).status, 0);
  });

  test("a host's server, the shell and hooks all use the one that runs", async () => {
    const at = ground();
    const pid = await daemon(at);
    await withServer(at, async (server) => {
      await server.initialize();
      const { fact_id } = await server.good("memory_add", fact("The gateway listens on port 7410"));
      assertEquals(await clientsOf(at), 1);
      const found = await words(at, "search", "gateway port", "--agent-id", "a");
      assertStringIncludes(found.stdout, String(fact_id));
      await words(at, "add", "Deploys need two approvals", "--agent-id", "a");
      const reply = await server.good("memory_search", { agent_id: "a", query: "deploy approvals" });
      assertEquals(reply["count"], 1);
      assertMatch(await server.fault("checkpoint_resume", { agent_id: "a" }), /^No checkpoint found for agent "a"$/);
      assertEquals((await words(at, "checkpoint", "resume", "--agent-id", "a")).status, 3);
    });
    await sleep(100);
    assertEquals(await clientsOf(at), 0);
    const maps = readFileSync(`/proc/${pid}/maps`, "utf8");
    assertStringIncludes(maps, "holdfast-test-"); // the store is open there
  });

  test("an attached server loads neither the database nor much else", async () => {
    const at = ground();
    await daemon(at);
    const sizes: number[] = [];
    for (const args of [[], ["--no-daemon"]]) {
      await withServer({ ...at, args }, async (server) => {
        await server.good("memory_add", fact("Told once"));
        const pid = server.child.pid ?? 0;
        assertEquals(readFileSync(`/proc/${pid}/maps`, "utf8").includes("libsql"), args.length > 0);
        sizes.push(Number(/VmRSS:\s+(\d+)/.exec(statusOf(pid))?.[1]));
      });
    }
    const [attached = 0, own = 0] = sizes;
    assert(attached < own, `${attached} kB attached, ${own} kB in process`);
  });

  test("the daemon's death is not noticed: calls under way and calls to come are answered once each", async () => {
    const at = ground();
    for (const era of ["initialize", "2026-07-28"]) {
      const pid = await daemon(at);
      await withServer(at, async (server) => {
        if (era === "initialize") await server.initialize();
        await server.good("memory_add", fact(`Told before, ${era}`));
        const from = server.messages.length;
        for (let id = 1; id <= 20; id++) {
          await server.send({
            id,
            method: "tools/call",
            params: { name: "memory_add", arguments: fact(`${era} ${id}`) },
          });
          if (id === 10) end(pid);
        }
        for (let id = 1; id <= 20; id++) await server.receive((message) => message.id === id, from);
        const answers = server.messages.slice(from);
        assertEquals(answers.length, 20);
        for (const { result } of answers) assertEquals(result?.["isError"] ?? false, false, JSON.stringify(result));
      });
      const { total } = JSON.parse((await words(at, "list", "--agent-id", "a", "--json", "--holding", era)).stdout);
      assertEquals(total, 21);
    }
  });

  test("SIGTERM: what is under way is answered, the log is folded in, and the clients carry on", async () => {
    const at = ground();
    const pid = await daemon(at);
    await withServer(at, async (server) => {
      await server.good("memory_add", fact("Told before"));
      const from = server.messages.length;
      for (let id = 1; id <= 30; id++) {
        await server.send({ id, method: "tools/call", params: { name: "memory_add", arguments: fact(`fact ${id}`) } });
      }
      process.kill(pid, "SIGTERM");
      for (let id = 1; id <= 30; id++) await server.receive((message) => message.id === id, from);
      await gone(pid);
      await server.good("memory_add", fact("Told after"));
    });
    assertEquals(JSON.parse((await words(at, "list", "--agent-id", "a", "--json")).stdout).total, 32);
    assertEquals(existsSync(join(folderOf(at), "daemon.json")), false);
  });

  test("it stops by itself when nobody has used it for a while, not before", async () => {
    const at = ground();
    const pid = await daemon(at, "--idle", "0.1");
    await withServer(at, async (server) => {
      await server.good("memory_add", fact("Told once"));
      await sleep(8000);
      assertEquals(await clientsOf(at), 1);
    });
    await gone(pid);
    assertEquals(journalOf(at).find(({ event }) => event === "stop")?.why, "idle");
  });

  test("eight that start at once: one runs, and all say so", async () => {
    const at = ground();
    const all = await Promise.all(Array.from({ length: 8 }, () => words(at, "daemon", "start", "--json")));
    const pids = new Set(
      all.map(({ status, stdout, stderr }) => (assertEquals(status, 0, stderr), JSON.parse(stdout).pid)),
    );
    assertEquals(pids.size, 1);
    started.push(...pids);
  });

  test("one that was killed leaves nothing that keeps the next from starting", async () => {
    const at = ground();
    const first = await daemon(at);
    end(first);
    await gone(first);
    assert(existsSync(join(folderOf(at), "socket")));
    await withServer(at, (server) => server.good("memory_add", fact("Told without one")));
    const second = await daemon(at);
    assert(second !== first);
    assertEquals(await clientsOf(at), 0);
  });

  test("doctor says whether it answers", async () => {
    const at = ground();
    const found = async () => {
      const { stdout } = await words(at, "doctor", "--json", "--host", "claude-code");
      const { findings } = JSON.parse(stdout);
      return findings.find(({ check }: { check: string }) => check === "daemon").message;
    };
    assertMatch(await found(), /^No daemon runs for this store/);
    const pid = await daemon(at);
    assertEquals(await found(), `The daemon (process ${pid}) answers and is this version`);
    end(pid);
    await gone(pid);
    assertEquals(await found(), `The daemon (process ${pid}) does not answer: servers work without it`);
  });

  test("--daemon starts one, HOLDFAST_DAEMON too, and never keeps it from starting", async () => {
    const at = ground();
    await withServer({ ...at, args: ["--daemon"] }, async (server) => {
      await server.good("memory_add", fact("Told once"));
      assertEquals(await clientsOf(at), 1);
    });
    started.push(cardOf(at).pid);
    const other = { ...ground(), env: { ...at.env, HOLDFAST_DAEMON: "never" } };
    await withServer({ ...other, store: at.store }, async (server) => {
      await server.good("memory_add", fact("Told in process"));
      assertEquals(await clientsOf(at), 0);
    });
  });

  test("a client with other settings works in process", async () => {
    const at = ground();
    await daemon(at);
    await withServer({ ...at, args: ["--secrets", "allow"] }, async (server) => {
      await server.good("memory_add", fact("Told by another"));
      assertEquals(await clientsOf(at), 0);
    });
    const { status, stderr } = await words(at, "daemon", "start", "--secrets", "allow");
    assertEquals(status, 4);
    assertMatch(stderr, /cannot be used: it was started with other settings/);
  });

  test("a stalled daemon is not waited for", async () => {
    const at = ground();
    const pid = await daemon(at);
    process.kill(pid, "SIGSTOP");
    try {
      await withServer(at, (server) => server.good("memory_add", fact("Told all the same")));
      const { status, stderr } = await words(at, "daemon", "status");
      assertEquals(status, 75);
      assertMatch(stderr, new RegExp(`\\(process ${pid}\\) does not answer`));
    } finally {
      process.kill(pid, "SIGCONT");
    }
  });

  test("nothing secret is in its command line, its log or its answers", async () => {
    const at = ground();
    const pid = await daemon(at);
    const { token } = cardOf(at);
    const words = "A very particular walrus sings at noon";
    await withServer(at, async (server) => {
      await server.good("memory_add", fact(words));
      await server.fault("memory_reflect", { action: "forget", agent_id: "a", target: `${words}!` });
    });
    const seen = [
      readFileSync(`/proc/${pid}/cmdline`, "utf8"),
      JSON.stringify(journalOf(at)),
      readFileSync(join(folderOf(at), "errors"), "utf8"),
      (await holdfast(at.store, ["daemon", "status", "--json"], at.env)).stdout,
    ].join("\n");
    for (const secret of [token, "walrus"]) assertEquals(seen.includes(secret), false, seen);
  });

  test("another user reads neither card nor socket", {
    skip: process.getuid?.() !== 0 && "only root can be another user",
  }, async () => {
    const at = ground();
    execFileSync("chmod", ["755", at.env["HOLDFAST_STATE"] ?? ""]);
    await daemon(at);
    const folder = folderOf(at);
    execFileSync("chmod", ["711", join(folder, "..")]);
    const script = `const fs=require("fs"),net=require("net");
    for (const name of ["daemon.json","log.jsonl","lock"]) try { fs.readFileSync(process.argv[1]+"/"+name); console.log("read "+name) } catch {}
    net.connect(process.argv[1]+"/socket").on("connect",()=>{console.log("connected");process.exit()}).on("error",()=>{})`;
    const told = execFileSync(process.execPath, ["-e", script, folder], { uid: 65534, gid: 65534, encoding: "utf8" });
    assertEquals(told, "");
  });

  test("a folder that is a link is refused, and hosts' servers work without a daemon", async () => {
    const at = ground();
    await daemon(at, "--idle", "0");
    const folder = folderOf(at);
    await words(at, "daemon", "stop");
    rmSync(folder, { recursive: true });
    const elsewhere = temporaryFolder();
    symlinkSync(elsewhere, folder);
    const { status, stderr } = await words(at, "daemon", "start");
    assertEquals(status, 5);
    assertMatch(stderr, /its folder is a link, or another user's/);
    assertEquals(readdirSync(elsewhere), []);
    await withServer(at, (server) => server.good("memory_add", fact("Told all the same")));
  });

  test("a place too deep for a socket's path works all the same", async () => {
    const at = ground();
    const deep = join(at.env["HOLDFAST_STATE"] ?? "", "deep".repeat(30));
    mkdirSync(deep);
    const env = { HOLDFAST_STATE: deep };
    await daemon({ ...at, env });
    await withServer({ ...at, env }, async (server) => {
      await server.good("memory_add", fact("Told once"));
      assertEquals(await clientsOf({ ...at, env }), 1);
    });
  });

  test("--http opens the door for who has the token, tells where it is, and never what it is", async () => {
    const at = ground();
    await daemon(at, "--http", "127.0.0.1:0");
    const { http } = JSON.parse((await words(at, "daemon", "status", "--json")).stdout);
    const file = join(folderOf(at), "http.token");
    assertEquals(statSync(file).mode & 0o777, 0o600);
    const token = readFileSync(file, "utf8").trim();
    const told = readFileSync(join(folderOf(at), "errors"), "utf8");
    assertStringIncludes(told, `HTTP at ${http}, its token in ${file}`);
    assertEquals((told + JSON.stringify(journalOf(at))).includes(token), false);
    await withServer(at, (server) => server.good("memory_add", fact("The gateway listens on port 7410")));
    const ask = (authorization: string) =>
      fetch(`${http}/v1/memory_search`, {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify({ agent_id: "a", query: "gateway" }),
      });
    assertEquals((await ask(`Bearer ${token}`).then((reply) => reply.json()) as { count: number }).count, 1);
    assertEquals((await ask("Bearer no")).status, 401);
    const other = await words({ ...at, store: temporaryStore() }, "daemon", "start", "--http", "0.0.0.0:0");
    assertMatch(
      other.stderr,
      /The daemon did not start: Cannot listen on 0\.0\.0\.0: it can be reached from other machines/,
    );
    const open = await words(
      { ...at, store: temporaryStore() },
      "daemon",
      "run",
      "--http",
      "0.0.0.0:0",
      "--http-remote",
    );
    assertMatch(open.stderr, /there is no token of yours/);
  });

  test("service files hold the very command, ready to be put in place", async () => {
    const at = ground();
    const { stdout } = await words(at, "daemon", "service", "systemd");
    assertMatch(stdout, /^ExecStart=".+" "daemon" "run" "--idle" "0"$/m);
    const { stdout: plist } = await words(at, "daemon", "service", "launchd", "--store", "/a&b.db");
    assertStringIncludes(plist, "<string>/a&amp;b.db</string>");
    assertEquals((await words(at, "daemon", "service", "upstart")).status, 2);
  });

  /** A client that leaves in the midst, and one that reads nothing, keep nobody else waiting. */
  test("a client that does not read is not waited for", async () => {
    const at = ground();
    await daemon(at);
    const deaf: ChildProcess = spawn(COMMAND, [...FIRST, "mcp", "--store", at.store], {
      env: surroundings(at.env),
      stdio: ["pipe", "pipe", "ignore"],
    });
    try {
      const call = (id: number) => `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/list" })}\n`;
      deaf.stdin?.on("error", () => {});
      for (let id = 0; id < 3000; id++) deaf.stdin?.write(call(id));
      const server: Server = start(at);
      try {
        await server.good("memory_add", fact("Told beside it"));
        const { memory_bytes: before } = JSON.parse((await words(at, "daemon", "status", "--json")).stdout);
        await sleep(500);
        const { memory_bytes: later } = JSON.parse((await words(at, "daemon", "status", "--json")).stdout);
        assert(later - before < 64 * 1024 * 1024, `${before} → ${later}`);
      } finally {
        server.child.kill("SIGKILL");
      }
    } finally {
      deaf.kill("SIGKILL");
    }
  });
});

// Every tool and every path, by real MCP clients over stdio, through a daemon and over HTTP, against the schemas as advertised.
import { after, before, describe, test } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { CLIENTS, type Listed, type Peer, type Reply, server, type Target } from "../support/clients.ts";
import { startHttp, TOKEN } from "../support/http.ts";
import { holdfast } from "../support/shell.ts";
import { temporaryFolder, temporaryStore } from "../support/temporary.ts";

const options = { strict: true, allErrors: true, validateFormats: false, strictTypes: false } as const;

const state = temporaryFolder();
const store = temporaryStore();
const WAYS: Readonly<Record<string, () => Promise<Target>>> = {
  "over stdio": () => Promise.resolve(server(temporaryStore(), { HOLDFAST_STATE: temporaryFolder() })),
  "over stdio, attached to a daemon": async () => {
    const { status, stderr } = await holdfast(store, ["daemon", "start"], { HOLDFAST_STATE: state });
    assertEquals(status, 0, stderr);
    return server(store, { HOLDFAST_STATE: state });
  },
  "over HTTP": async () => {
    const { address } = await (http ??= startHttp());
    return { url: new URL(`${address}/mcp`), headers: { authorization: `Bearer ${TOKEN}` } };
  },
};
let http: ReturnType<typeof startHttp> | undefined;
after(async () => {
  await holdfast(store, ["daemon", "stop"], { HOLDFAST_STATE: state });
  await (await http)?.stop();
});

const PAIRS = Object.entries(WAYS).flatMap(([way, target]) =>
  Object.entries(CLIENTS).map(([name, connect]) => ({
    name: `${name} ${way}`,
    connect: async () => await connect(await target()),
  }))
);

for (const { name, connect } of PAIRS) {
  describe(name, () => {
    let peer: Peer;
    let tools: readonly Listed[];
    const [a, c] = [`a ${name}`, `c ${name}`];
    before(async () => {
      peer = await connect();
      tools = await peer.list();
    });
    after(() => peer.close());

    const good = async (tool: string, args: Record<string, unknown>) => {
      const reply = await peer.call(tool, args);
      assertEquals(reply.isError ?? false, false, reply.content[0]?.text ?? "");
      assertMatch(reply.content[0]?.text ?? "", /\S/);
      assertValid(tools, tool, reply);
      return reply;
    };
    const bad = async (tool: string, args: Record<string, unknown>, sentence: RegExp) => {
      const reply = await peer.call(tool, args);
      assertEquals(reply.isError, true);
      assertEquals(Object.hasOwn(reply, "structuredContent"), false);
      assertMatch(reply.content.map(({ text }) => text).join("\n"), sentence);
    };

    test("lists the five tools", () => {
      assertEquals(tools.map(({ name }) => name), [
        "memory_search",
        "memory_add",
        "checkpoint_save",
        "checkpoint_resume",
        "memory_reflect",
      ]);
    });

    test("adds, finds, corrects and forgets", async () => {
      const added = await good("memory_add", {
        agent_id: a,
        text: "The gateway listens on port 7410",
        told_at: "2026-01-02",
      });
      const again = await good("memory_add", { agent_id: a, text: "The  gateway listens on port 7410" });
      assertEquals(again.structuredContent?.["fact_id"], added.structuredContent?.["fact_id"]);
      assertEquals(again.structuredContent?.["duplicate"], true);
      await good("memory_add", { agent_id: "__shared__", text: "Every gateway needs a health check" });
      const found = await good("memory_search", { agent_id: a, query: "gateway port", explain: true });
      assertEquals(found.structuredContent?.["count"], 2);
      const updated = await good("memory_reflect", {
        action: "update",
        agent_id: a,
        target: added.structuredContent?.["fact_id"],
        text: "The gateway listens on port 7411",
      });
      assertEquals(updated.structuredContent?.["retired"], [added.structuredContent?.["fact_id"]]);
      const earlier = await good("memory_search", { agent_id: a, query: "gateway port", as_of: "2026-01-03" });
      assertEquals(earlier.structuredContent?.["facts"], ["The gateway listens on port 7410"]);
      await good("memory_reflect", { action: "pin", agent: a, target: "The gateway listens on port 7411" });
      await good("memory_reflect", { action: "unpin", agent_id: a, text: "The gateway listens on port 7411" });
      await good("memory_reflect", { action: "link", agent_id: a, text: "gateway", target: "port 7411" });
      await good("memory_reflect", { action: "forget", agent_id: a, text: "The gateway listens on port 7411" });
      await good("memory_reflect", { action: "add", agent_id: a, text: "The gateway moved to another host" });
      const empty = await good("memory_search", { agent_id: "nobody", query: "gateway", include_shared: false });
      assertEquals(empty.structuredContent?.["facts"], []);
    });

    test("saves and resumes checkpoints", async () => {
      await bad("checkpoint_resume", { agent_id: c }, /^No checkpoint found for agent "c [^"]+"$/);
      const none = await good("checkpoint_resume", { agent_id: c, on_missing: "empty" });
      assertEquals(none.structuredContent, { found: false, agent_id: c });
      assertEquals(none.content[0]?.text, `No checkpoint saved for agent "${c}" yet.`);
      const messages = [{ role: "user", content: "go on" }];
      const saved = await good("checkpoint_save", { agent_id: c, state: '{"step": 3}', messages, label: "half way" });
      const resumed = await good("checkpoint_resume", { agent_id: c, include_messages: true });
      assertEquals(resumed.structuredContent?.["id"], saved.structuredContent?.["checkpoint_id"]);
      assertEquals(resumed.structuredContent?.["state"], { step: 3 });
      assertEquals(resumed.structuredContent?.["messages"], messages);
    });

    test("tells errors in text alone", async () => {
      await bad("memory_search", { agent_id: a }, /query must be a string \(was missing\)/);
      await bad("memory_search", { agent_id: a, query: "x", top_k: 101 }, /top_k must be at most 100 \(was 101\)/);
      await bad("memory_add", { agent_id: a, text: " " }, /text must be not blank/);
      await bad("memory_add", { agent_id: "", text: "x" }, /agent_id must be 1 to 256 characters/);
      await bad("checkpoint_save", { agent_id: a, state: "[1]" }, /state must be an object/);
      await bad(
        "checkpoint_resume",
        { agent_id: a, on_missing: "" },
        /on_missing must be "e(rror|mpty)" or "e(rror|mpty)"/,
      );
      await bad(
        "checkpoint_resume",
        { agent_id: a, checkpoint_id: "0", on_missing: "empty" },
        /No checkpoint "0" found for agent "a [^"]+"/,
      );
      await bad(
        "memory_reflect",
        { action: "forget", agent_id: a, target: "no such thing" },
        /Cannot forget: no memory of agent "a [^"]+" matches "no such thing"/,
      );
      await bad("memory_reflect", { action: "shout", agent_id: a }, /action must be .*"add".*"unpin"/);
    });

    test("answers an unknown tool with a protocol error", async () => {
      const failure = await peer.call("no_such_tool").then(() => undefined, (error: { code?: unknown }) => error.code);
      assertEquals(failure, -32602);
    });
  });
}

function assertValid(tools: readonly Listed[], name: string, reply: Reply): void {
  const schema = tools.find((tool) => tool.name === name)?.outputSchema;
  assert(schema, name);
  for (const ajv of [new Ajv(options), new Ajv2020(options)]) {
    const check = ajv.compile(schema);
    assert(check(reply.structuredContent), `${name}: ${JSON.stringify(check.errors)}`);
  }
}

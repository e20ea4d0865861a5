// Prompts and resources as hosts meet them: a real client, a real server, a real store.
import { after, test } from "node:test";
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { openMemory } from "../../src/memory/open.ts";
import TOOL_LIST from "../../src/tools.json" with { type: "json" };
import { server } from "../support/clients.ts";
import { settings } from "../support/stores.ts";

const config = settings();
const memory = await openMemory(config);
const own = { agentId: "my app/ü", sessionId: "s" };
await memory.add({ ...own, text: "The gateway listens on port 7410" });
await memory.add({ ...own, agentId: "Mine", text: "Another" });
const { factId } = await memory.update({ ...own, target: "The gateway listens on port 7410", text: "It is 7411" });
await memory.close();

const client = new Client({ name: "test", version: "1" });
await client.connect(new StdioClientTransport(server(config.store)));
after(() => client.close());

const read = async (uri: string) => {
  const { contents: [content] } = await client.readResource({ uri });
  assertEquals(content?.mimeType, "application/json");
  return JSON.parse(content && "text" in content ? String(content.text) : "");
};
const AGENT = `memory://${encodeURIComponent(own.agentId)}`;

test("resources are the agents that hold facts, and read back as what is held", async () => {
  const { resources } = await client.listResources();
  assertEquals(resources.map(({ uri, title }) => [uri, title]).sort(), [
    ["memory://Mine/facts", "Mine: 1 facts"],
    [`${AGENT}/facts`, "my app/ü: 1 facts"],
  ]);
  const facts = await read(`${AGENT}/facts`);
  assertEquals([facts.agent_id, facts.total, facts.facts[0].text, facts.facts[0].fact_id], [
    own.agentId,
    1,
    "It is 7411",
    factId,
  ]);
  assertEquals((await read(`${AGENT}/facts/${factId}`)).text, "It is 7411");
});

test("templates name three places, and agents complete by their names", async () => {
  const { resourceTemplates } = await client.listResourceTemplates();
  assertEquals(resourceTemplates.map(({ uriTemplate }) => uriTemplate), [
    "memory://{agent}/facts",
    "memory://{agent}/facts/{id}",
    "memory://{agent}/checkpoint/latest",
  ]);
  const complete = async (name: string, value: string) =>
    (await client.complete({ ref: { type: "ref/resource", uri: "memory://{agent}/facts" }, argument: { name, value } }))
      .completion.values;
  assertEquals(await complete("agent", "MI"), ["Mine"]);
  assertEquals((await complete("agent", "m")).sort(), ["Mine", own.agentId]);
  assertEquals(await complete("id", "x"), []);
});

test("a checkpoint is read once there is one", async () => {
  await assertRejects(() => client.readResource({ uri: `${AGENT}/checkpoint/latest` }));
  await client.callTool({ name: "checkpoint_save", arguments: { agent_id: own.agentId, state: { next: "x" } } });
  assertEquals((await read(`${AGENT}/checkpoint/latest`)).state, { next: "x" });
});

test("what is no resource is told as one", async () => {
  for (
    const uri of [
      `${AGENT}/nothing`,
      "memory://%zz/facts",
      `memory://Mine/facts/${factId}`,
      "memory://Mine/checkpoint/latest/x",
      "file:///etc/passwd",
    ]
  ) {
    const error = await assertRejects(() => client.readResource({ uri }));
    assertMatch(String(error), /not found/i, uri);
  }
});

test("prompts name tools and arguments that there are", async () => {
  const { prompts } = await client.listPrompts();
  assertEquals(prompts.map(({ name }) => name), ["recall", "checkpoint"]);
  const known = new Set(TOOL_LIST.flatMap(({ name, inputSchema }) => [name, ...Object.keys(inputSchema.properties)]));
  for (const { name, arguments: args = [] } of prompts) {
    const filled = Object.fromEntries(args.map((one) => [one.name, 'the "gateway"']));
    for (const given of [{}, filled]) {
      const { messages: [message] } = await client.getPrompt({ name, arguments: given });
      const text = message?.content.type === "text" ? message.content.text : "";
      const words = text.match(/\b[a-z]+_[a-z_]+\b/g) ?? [];
      assert(words.length >= 3, text);
      assertEquals(words.filter((word) => !known.has(word)), []);
      assertEquals(text.includes('\\"gateway\\"'), given === filled);
    }
  }
  await assertRejects(() => client.getPrompt({ name: "nothing" }));
});

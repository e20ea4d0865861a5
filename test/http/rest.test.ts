// The REST twin is the tools: the same results and faults, as its own document says they are.
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { CODES } from "../../src/core/errors.ts";
import { STATUS } from "../../src/http/rest.ts";
import { openHttp } from "../support/http.ts";

interface Operation {
  readonly requestBody: {
    readonly content: Readonly<
      Record<string, { readonly schema: { readonly properties: Readonly<Record<string, object>> } }>
    >;
  };
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly schema: object }>> }>
  >;
}

async function stage() {
  const { ask } = await openHttp();
  const document = await (await ask("/v1/openapi.json")).json();
  const paths = document["paths"] as Readonly<Record<string, { readonly post: Operation }>>; // as the schemas below prove
  assertEquals(document["openapi"], "3.1.0");
  const ajv = new Ajv2020({ strict: true, strictTypes: false, validateFormats: false });
  const operation = (tool: string): Operation =>
    paths[`/v1/${tool}`]?.post ?? { responses: {}, requestBody: { content: {} } };
  const checks = new Map<object, ReturnType<typeof ajv.compile>>();
  const call = async (tool: string, json: unknown) => {
    const response = await ask(`/v1/${tool}`, { json });
    const body = await response.json();
    const schema = operation(tool).responses[response.status]?.content["application/json"]?.schema;
    assert(schema, `${tool} answered ${response.status}, which its document does not know`);
    const check = checks.get(schema) ?? ajv.compile(schema);
    checks.set(schema, check);
    assert(check(body), `${tool} ${response.status}: ${JSON.stringify(check.errors)} ${JSON.stringify(body)}`);
    return { status: response.status, body };
  };
  return { call, operation, tools: Object.keys(paths).map((path) => path.slice("/v1/".length)) };
}

test("every tool and path answers as the document says", async () => {
  const { call } = await stage();
  const agent_id = "a";
  const { body: { fact_id } } = await call("memory_add", { agent_id, text: "The gateway listens on port 7410" });
  assertEquals(
    (await call("memory_add", { agent_id, text: "The gateway listens on port 7410" })).body["duplicate"],
    true,
  );
  assertEquals((await call("memory_search", { agent_id, query: "gateway port", explain: true })).body["count"], 1);
  assertEquals((await call("memory_search", { agent_id: "b", query: "x", include_shared: false })).body["facts"], []);
  const update = { action: "update", agent_id, target: fact_id, text: "The gateway listens on port 7411" };
  assertEquals((await call("memory_reflect", update)).body["retired"], [fact_id]);
  assertEquals((await call("memory_reflect", update)).status, 409);
  assertEquals((await call("memory_reflect", { action: "forget", agent_id, target: "nothing like it" })).status, 404);
  assertEquals((await call("memory_reflect", { action: "shout", agent_id })).status, 400);
  assertEquals((await call("checkpoint_resume", { agent_id })).body.error?.code, "no_checkpoint");
  assertEquals((await call("checkpoint_resume", { agent_id, on_missing: "empty" })).body, { found: false, agent_id });
  assertEquals((await call("checkpoint_save", { agent_id, state: { step: 3 } })).status, 200);
  assertEquals((await call("checkpoint_resume", { agent_id })).body["state"], { step: 3 });
  assertEquals((await call("memory_search", [])).status, 400);
  assertEquals((await call("memory_search", { agent_id })).body.error?.code, "invalid_argument");
});

test("whatever is sent, a tool answers as the document says and never with our own mistake", async () => {
  const { call, operation, tools } = await stage();
  const odd = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.string({ maxLength: 40, unit: "binary" }),
    fc.integer(),
    fc.constant("add"),
  );
  const asked = fc.constantFrom(...tools).chain((tool) => {
    const { schema } = operation(tool).requestBody.content["application/json"] ?? { schema: { properties: {} } };
    const fields = Object.fromEntries(
      Object.keys(schema.properties).map((name) => [name, name === "agent_id" ? fc.oneof(odd, fc.constant("a")) : odd]),
    );
    return fc.tuple(fc.constant(tool), fc.oneof(fc.record(fields, { requiredKeys: [] }), odd));
  });
  await fc.assert(
    fc.asyncProperty(asked, async ([tool, json]) => {
      const { status } = await call(tool, json);
      assert(status < 500, `${tool} ${JSON.stringify(json)}: ${status}`);
    }),
    { numRuns: 150 },
  );
});

test("arguments that a tool does not have are named beside the answer, and never take the hint's place", async () => {
  const { ask } = await openHttp();
  const found = await ask("/v1/memory_search", { json: { agent_id: "a", query: "x", sinse: "2026-01-01", "ü\n": 1 } });
  assertEquals(found.headers.get("holdfast-ignored-arguments"), "sinse, %C3%BC%0A");
  await found.body?.cancel();
  const lost = await ask("/v1/checkpoint_resume", { json: { agent_id: "a", on_mising: "empty" } });
  assertEquals(lost.headers.get("holdfast-ignored-arguments"), "on_mising");
  assertEquals((await lost.json()).error, { code: "no_checkpoint", message: 'No checkpoint found for agent "a"' });
});

test("every code has its status", () => {
  assertEquals(Object.keys(STATUS).sort(), Object.keys(CODES).sort());
});

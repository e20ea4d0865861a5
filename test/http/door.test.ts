// Who is let in over HTTP, and what is refused before a tool is asked.
import { connect } from "node:net";
import { test } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { BODY_LIMIT } from "../../src/http/door.ts";
import { openHttp, raw, TOKEN } from "../support/http.ts";

const search = { json: { agent_id: "a", query: "port" } };

test("only /healthz is answered without the token, and it says only ok or not", async () => {
  const { ask } = await openHttp();
  const bare = { headers: { authorization: "" } };
  const health = await ask("/healthz", bare);
  assertEquals([health.status, await health.json()], [200, { ok: true }]);
  for (
    const path of ["/readyz", "/metrics", "/v1/openapi.json", "/mcp", "/v1/memory_search", "/", "/../../etc/passwd"]
  ) {
    const refused = await ask(path, bare);
    assertEquals(refused.status, 401, path);
    assertEquals(refused.headers.get("www-authenticate"), "Bearer");
    await refused.body?.cancel();
  }
});

test("a token that is nearly right is wrong, and no answer shows it", async () => {
  const { ask } = await openHttp();
  for (const given of [TOKEN.slice(1), `${TOKEN}x`, TOKEN.toUpperCase(), "", `${TOKEN} ${TOKEN}`]) {
    const refused = await ask("/v1/memory_search", { ...search, headers: { authorization: `Bearer ${given}` } });
    assertEquals(refused.status, 401, given);
    assertEquals((await refused.text()).includes(TOKEN), false);
  }
  const basic = await ask("/readyz", { headers: { authorization: `Basic ${TOKEN}` } });
  assertEquals(basic.status, 401);
  await basic.body?.cancel();
});

test("a forged host or origin is refused, even with the token", async () => {
  const { ask, address } = await openHttp();
  const { port } = new URL(address);
  for (
    const origin of [
      "https://evil.example",
      "null",
      `https://localhost:${port}`,
      `http://localhost.evil.example:${port}`,
      "http://localhost:1",
    ]
  ) {
    const refused = await ask("/v1/memory_search", { ...search, headers: { origin } });
    assertEquals(refused.status, 403, origin);
    await refused.body?.cancel();
  }
  const own = await ask("/v1/memory_search", { ...search, headers: { origin: `http://localhost:${port}` } });
  assertEquals(own.status, 200);
  assertEquals(own.headers.get("access-control-allow-origin"), null);
  await own.body?.cancel();
  const loud = `GET /healthz HTTP/1.1\r\nHost: LocalHost:${port}\r\nConnection: close\r\n\r\n`;
  assertMatch(await raw(address, loud), /^HTTP\/1\.1 200 /);
  for (const host of ["evil.example", `evil.example:${port}`, "localhost", `127.0.0.1:${port}.evil.example`]) {
    const told = await raw(
      address,
      `GET /readyz HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${TOKEN}\r\nConnection: close\r\n\r\n`,
    );
    assertMatch(told, /^HTTP\/1\.1 403 /, host);
  }
});

test("every answer forbids keeping and guessing, and none speaks of other origins", async () => {
  const { ask } = await openHttp();
  for (
    const [path, init] of [["/healthz", {}], ["/v1/memory_search", search], ["/nowhere", {}], ["/mcp", {
      method: "OPTIONS",
    }]] as const
  ) {
    const { headers, body } = await ask(path, init);
    assertEquals([headers.get("cache-control"), headers.get("x-content-type-options")], ["no-store", "nosniff"]);
    assertEquals([...headers.keys()].filter((name) => name.startsWith("access-control")), []);
    await body?.cancel();
  }
});

test("wrong method, path, type and body are each told as what they are", async () => {
  const { ask } = await openHttp();
  const status = async (path: string, init: Parameters<typeof ask>[1]) => {
    const { status, body } = await ask(path, init);
    await body?.cancel();
    return status;
  };
  assertEquals(await status("/v1/memory_search", { method: "GET" }), 405);
  assertEquals(await status("/mcp", { method: "DELETE" }), 405);
  assertEquals(await status("/metrics", { method: "POST", body: "x" }), 405);
  assertEquals(await status("/v1/no_such_tool", search), 404);
  assertEquals(await status("/v1/memory_search/", search), 404);
  assertEquals(await status("/v1/%2e%2e/%2e%2e/etc/passwd", search), 404);
  assertEquals(
    await status("/v1/memory_search", { method: "POST", body: "{}", headers: { "content-type": "text/plain" } }),
    415,
  );
  assertEquals(
    await status("/v1/memory_search", { method: "POST", body: "{", headers: { "content-type": "application/json" } }),
    400,
  );
});

test("an agent's name is a name, whatever paths it looks like", async () => {
  const { ask } = await openHttp();
  const agent_id = "../../etc/passwd";
  const added = await (await ask("/v1/memory_add", { json: { agent_id, text: "The gateway is new" } })).json();
  assertEquals(added["agent_id"], agent_id);
  const found = await (await ask("/v1/memory_search", { json: { agent_id, query: "gateway" } })).json();
  assertEquals(found["facts"], ["The gateway is new"]);
});

test("a body over the limit is refused, told beforehand or not, and never held", async () => {
  const { address, ask } = await openHttp();
  const head = (more: string) =>
    `POST /v1/memory_add HTTP/1.1\r\nHost: ${
      address.slice(7)
    }\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\n${more}\r\n`;
  assertMatch(await raw(address, head(`Content-Length: ${BODY_LIMIT + 1}\r\n`)), /^HTTP\/1\.1 413 /);
  const before = process.memoryUsage.rss();
  const chunk = "x".repeat(1024 * 1024);
  const chunks = `${chunk.length.toString(16)}\r\n${chunk}\r\n`.repeat(20);
  assertMatch(await raw(address, `${head("Transfer-Encoding: chunked\r\n")}${chunks}`, 10_000), /^HTTP\/1\.1 413 /);
  assert(process.memoryUsage.rss() - before < 200 * 1024 * 1024);
  assertEquals((await (await ask("/v1/memory_search", search)).json())["count"], 0);
});

test("a request with two meanings has none", async () => {
  const { address } = await openHttp();
  const head = `POST /v1/memory_search HTTP/1.1\r\nHost: ${
    address.slice(7)
  }\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\n`;
  const body = '{"agent_id":"a","query":"x"}';
  for (
    const smuggled of [
      `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /metrics HTTP/1.1\r\n\r\n`,
      `${head}Content-Length: ${body.length}\r\nContent-Length: 5\r\n\r\n${body}`,
      `${head}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n`,
      `${head}X: a\r\n b\nContent-Length: 3\r\n\r\n{}`,
      "GET http://evil.example/healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n",
      "CONNECT evil.example:80 HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    ]
  ) {
    const told = await raw(address, smuggled, 500);
    assertMatch(told, /^(HTTP\/1\.1 4\d\d |$)/, smuggled.slice(0, 200));
    assertEquals(told.split("HTTP/1.1 ").length <= 2, true, told);
  }
});

test("headers that never end are not waited for, and keep nobody out", {
  skip: "Deno" in globalThis && "Deno has its own limits",
}, async () => {
  const { address, ask } = await openHttp({ times: { headers: 500, request: 1000, idle: 500 } });
  const { hostname, port } = new URL(address);
  const slow = Array.from({ length: 100 }, () => {
    const socket = connect(Number(port), hostname, () => socket.write("GET /healthz HTTP/1.1\r\nX: "));
    return new Promise<number>((resolve) => {
      const since = performance.now();
      socket.on("error", () => {}).on("data", () => {}).on("close", () => resolve(performance.now() - since));
    });
  });
  assertEquals((await (await ask("/healthz")).json())["ok"], true);
  assertEquals((await Promise.all(slow)).length, 100);
});

test("more than the rate is told to wait", async () => {
  const { ask } = await openHttp({ rate: 5 });
  const statuses = [];
  for (let call = 0; call < 12; call++) {
    const { status, headers, body } = await ask("/v1/openapi.json");
    if (status === 429) assertEquals(headers.get("retry-after"), "1");
    statuses.push(status);
    await body?.cancel();
  }
  assertEquals(statuses.slice(0, 10), new Array(10).fill(200));
  assertEquals(statuses.at(-1), 429);
});

test("an answer that is half read keeps nobody waiting", async () => {
  const { ask, address } = await openHttp();
  for (let at = 0; at < 20; at++) {
    await ask("/v1/memory_add", { json: { agent_id: "a", text: `${at} ${"word ".repeat(18_000)}` } }).then((one) =>
      one.body?.cancel()
    );
  }
  const body = JSON.stringify({ agent_id: "a", query: "word", top_k: 100 });
  const request = `POST /v1/memory_search HTTP/1.1\r\nHost: ${
    address.slice(7)
  }\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const { hostname, port } = new URL(address);
  const halves = Array.from({ length: 20 }, () => {
    const socket = connect(Number(port), hostname, () => socket.write(request));
    socket.on("error", () => {}).once("data", () => socket.pause());
    return socket;
  });
  await new Promise((resolve) => setTimeout(resolve, 500));
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => ask("/v1/memory_search", { json: { agent_id: "b", query: "x" } })),
  );
  for (const answer of answers) assertEquals((await answer.json())["count"], 0);
  for (const socket of halves) socket.destroy();
});

test("/metrics counts by route and status, and never by what a request says", async () => {
  const { ask } = await openHttp();
  await (await ask("/v1/memory_add", { json: { agent_id: "walrus", text: "The walrus sings" } })).json();
  await (await ask("/walrus")).json();
  const text = await (await ask("/metrics")).text();
  for (const line of text.trim().split("\n")) {
    assertMatch(line, /^(# (HELP|TYPE) \w+ .+|\w+(\{[^{}]*\})? -?\d+(\.\d+)?(e-?\d+)?)$/);
  }
  assert(text.includes('holdfast_http_requests_total{route="/v1/memory_add",status="200"} 1'), text);
  assert(text.includes('holdfast_http_requests_total{route="other",status="404"} 1'));
  assert(text.includes("holdfast_facts 1"));
  assertEquals(text.includes("walrus"), false);
});

// Where the HTTP door may be, and what is said where it cannot.
import { test } from "node:test";
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { MemoryError } from "../../src/core/errors.ts";
import { openHttp } from "../support/http.ts";

const refused = async (over: Parameters<typeof openHttp>[0]) => {
  const { code, message } = await assertRejects(() => openHttp(over), MemoryError);
  assertEquals(code, "invalid_argument");
  return message;
};

test("listenHttp refuses what other machines reach, and addresses that are none", async () => {
  for (const bind of ["0.0.0.0:0", "[::]:0", "192.0.2.1:80"]) {
    assertMatch(await refused({ bind }), /can be reached from other machines/);
  }
  for (const bind of ["7411", "localhost", "localhost:", "a:b:1", "127.0.0.1:99999", ""]) {
    assertMatch(await refused({ bind }), /give HOST:PORT/);
  }
  assertMatch(
    await refused({ bind: "192.0.2.1:0", allowRemote: true }),
    /this machine has no such address|the system refuses it/,
  );
});

test("listenHttp says that a port is taken, and gives it back when closed", async () => {
  const first = await openHttp();
  const bind = first.address.slice("http://".length);
  assertMatch(await refused({ bind }), /another program listens there/);
  await first.close(100);
  const second = await openHttp({ bind });
  assertEquals((await (await second.ask("/healthz")).json())["ok"], true);
});

test("close lets an answer under way be finished", async () => {
  let finish = () => {};
  const mcp = () => new Promise<Response>((resolve) => finish = () => resolve(Response.json({ done: true })));
  const { ask, close } = await openHttp({ mcp });
  const asked = ask("/mcp", { json: {} });
  await new Promise((resolve) => setTimeout(resolve, 100));
  const closed = close(2000);
  finish();
  assertEquals(await (await asked).json(), { done: true });
  await closed;
});

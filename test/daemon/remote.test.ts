// The memory over the daemon's socket: as in process, with deadlines, cancellation, and failures as they were.
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { MemoryError } from "../../src/core/errors.ts";
import { parseJson } from "../../src/core/json.ts";
import type { Methods } from "../../src/daemon/methods.ts";
import { ask, dial, frame, playDaemon, reached, stage } from "../support/daemon.ts";

const agentId = "a";
const told = { agentId, sessionId: "s" };

async function failure(call: Promise<unknown>): Promise<MemoryError> {
  return await assertRejects(() => call, MemoryError);
}

test("remoteMemory does all that a memory does", async () => {
  const { place, methods } = await stage();
  const remote = await ask(place);
  const { factId } = await remote.add({ ...told, text: "The gateway listens on port 7410", confidence: "verified" });
  const { hits } = await remote.search({ agentId, query: "gateway port", explain: true });
  assertEquals(hits, (await methods.search({ agentId, query: "gateway port", explain: true })).hits);
  assertEquals(hits.map((hit) => hit.factId), [factId]);
  const updated = await remote.update({ ...told, target: factId, text: "The gateway listens on port 7411" });
  assertEquals(updated.retired, [factId]);
  assertEquals((await remote.pin({ agentId, target: updated.factId, pinned: true })).factIds, [updated.factId]);
  await remote.link({ agentId, source: "gateway", relation: "listens on", target: "7411" });
  assertEquals((await remote.list({ agentIds: [agentId], limit: 9 })).facts.map(({ pinned }) => pinned), [true]);
  assertEquals((await remote.forget({ agentId, target: updated.factId })).retired, [updated.factId]);
});

test("numbers that a double cannot hold come back digit by digit", async () => {
  const { place } = await stage();
  const remote = await ask(place);
  const state = parseJson('{"big": 12345678901234567890}') as Record<string, unknown>;
  await remote.saveCheckpoint({ agentId, state });
  assertEquals(JSON.stringify((await remote.resumeCheckpoint({ agentId })).state), '{"big":12345678901234567890}');
});

test("failures come back with code, sentence, hint and cause", async () => {
  const cause = new Error("SQLITE_BUSY: database is locked");
  const broken = new MemoryError("store_busy", "The store is busy", { hint: "Try again", cause });
  const { place } = await stage((methods) => ({ ...methods, search: () => Promise.reject(broken) }));
  const { code, message, hint, cause: told } = await failure((await ask(place)).search({ agentId, query: "x" }));
  assertEquals([code, message, hint], ["store_busy", "The store is busy", "Try again"]);
  assertEquals((told as Error).message, cause.message);
});

test("a request that no tool would take is refused, and the connection goes on", async () => {
  const { place } = await stage();
  const remote = await ask(place);
  assertEquals((await failure(remote.search({ agentId: "", query: "x" }))).code, "invalid_argument");
  assertEquals((await failure(remote.search({ agentId, query: "x", topK: 1000 }))).code, "invalid_argument");
  assertEquals((await failure(remote.add({ ...told, text: "x", operation: "../../etc" }))).code, "invalid_argument");
  assertEquals((await remote.search({ agentId, query: "x" })).hits, []);
});

const slow = (methods: Methods): Methods => ({ ...methods, search: async () => (await sleep(5000), { hits: [] }) });

test("a deadline and a cancellation end the call on both sides", async () => {
  let seen = 0;
  const { place } = await stage((methods) => ({ ...slow(methods), add: (request) => (seen++, methods.add(request)) }));
  const hasty = await ask(place, { deadline: 50 });
  assertEquals((await failure(hasty.search({ agentId, query: "x" }))).code, "daemon_late");
  const stopper = new AbortController();
  const patient = await ask(place, { signal: stopper.signal });
  const asked = failure(patient.search({ agentId, query: "x" }));
  await sleep(50);
  stopper.abort();
  assertEquals((await asked).code, "daemon_late");
  assertEquals((await failure(patient.add({ ...told, text: "never sent" }))).code, "daemon_late");
  assertEquals(seen, 0);
});

test("the daemon itself keeps the deadline it was sent", async () => {
  const { place, token } = await stage(slow);
  const { socket, answer } = dial(place.socket);
  socket.write(
    `${hello(place, token)}\n${
      frame({ jsonrpc: "2.0", id: 1, method: "search", params: { ...search, deadline_ms: 30 } })
    }`,
  );
  assertStringIncludes(await answer('"error"'), '"code":"daemon_late"');
});

test("a cut connection fails what is under way as away", async () => {
  const { place, door } = await stage(slow);
  const asked = failure((await ask(place)).search({ agentId, query: "x" }));
  await sleep(50);
  await door.close(0);
  assertEquals((await asked).code, "daemon_away");
});

const search = { agentId, query: "x" };
const OLD = { protocol: 1, version: "0.0.9", capabilities: [] };
const hello = (place: { store: string; settings: string }, token: string, over: object = {}) =>
  JSON.stringify({
    protocol: 2,
    version: "0.1.0",
    capabilities: ["report_not_found"],
    ...place,
    token,
    use: "rpc",
    ...over,
  });

test("absence, new client and new daemon: the sentinel", async () => {
  const { place } = await stage();
  assertEquals((await failure((await ask(place)).resumeCheckpoint({ agentId }))).code, "no_checkpoint");
});

test("absence, old client and new daemon: an error, as it always was", async () => {
  const { place, token } = await stage();
  const { socket, answer } = dial(place.socket);
  const params = { agentId };
  socket.write(`${hello(place, token, OLD)}\n${frame({ jsonrpc: "2.0", id: 1, method: "resumeCheckpoint", params })}`);
  const { error, result } = JSON.parse((await answer('"data"')).split("\r\n\r\n")[1] ?? "");
  assertEquals([error.message, result], ['No checkpoint found for agent "a"', undefined]);
});

test("absence, new client and old daemon: nothing is sent, update and restart", async () => {
  const { place, asked } = await playDaemon(OLD, () => ({ result: { hits: [] } }));
  const remote = await ask(place);
  const { code, hint } = await failure(remote.resumeCheckpoint({ agentId }));
  assertEquals(code, "daemon_old");
  assert(hint?.startsWith("Update and restart the daemon"), hint);
  assertEquals(asked, []);
  assertEquals(await remote.search({ agentId, query: "x" }), { hits: [] });
});

test("absence, old client and old daemon: what the old one says", async () => {
  const { place } = await playDaemon(OLD, () => ({ error: { code: -32603, message: "no checkpoint for a" } }));
  const { socket, answer } = dial(place.socket);
  socket.write(
    `${hello(place, "", OLD)}\n${frame({ jsonrpc: "2.0", id: 1, method: "resumeCheckpoint", params: { agentId } })}`,
  );
  assertStringIncludes(await answer('"error"'), "no checkpoint for a");
});

for (
  const [name, error] of Object.entries({
    "an untyped error": { code: -32603, message: 'No checkpoint found for agent "a"' },
    "our own code for absence": { code: -32000, message: "gone", data: { code: "no_checkpoint" } },
    "an unknown code": { code: -32000, message: "gone", data: { code: "not_found" } },
  })
) {
  test(`${name} is a failure, never absence, whatever it says`, async () => {
    const { place } = await playDaemon({ ...OLD, capabilities: ["report_not_found"] }, () => ({ error }));
    assertEquals((await failure((await ask(place)).resumeCheckpoint({ agentId }))).code, "daemon_failed");
  });
}

test("a client with other settings, another store or an ancient protocol is told why", async () => {
  const { place, token } = await stage();
  for (
    const [over, refused] of [
      [{ settings: "other" }, "settings"],
      [{ store: "other" }, "store"],
      [{ protocol: 0 }, "protocol"],
    ] as const
  ) {
    const { socket, closed } = dial(place.socket);
    socket.write(`${hello(place, token, over)}\n`);
    assertEquals(JSON.parse(await closed).refused, refused);
  }
  (await reached(place)).socket.destroy();
});

// Who is let in by the socket: the one who knows the token, and nobody who only knows where it is.
import { createServer } from "node:net";
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { reach } from "../../src/daemon/client.ts";
import { newCard, prepare, writeCard } from "../../src/daemon/place.ts";
import { dial, newPlace, reached, stage } from "../support/daemon.ts";

test("a stranger is met with silence, whatever it says", async () => {
  const { place, token } = await stage();
  const usual = { protocol: 2, version: "0.1.0", capabilities: [], ...place, use: "rpc" };
  const words = [
    "\n",
    "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    `${JSON.stringify({ ...usual, token: "" })}\n`,
    `${JSON.stringify({ ...usual, token: token.slice(1) })}\n`,
    `${JSON.stringify({ ...usual, token: `${token} ` })}\n`,
    `${JSON.stringify({ ...usual, token: [token] })}\n`,
    `${JSON.stringify({ ...usual, token, use: "shell" })}\n`,
    `${JSON.stringify({ ...usual, token, protocol: "2" })}\n`,
    `${"x".repeat(9000)}`,
    "null\n",
  ];
  for (const word of words) {
    const { socket, closed } = dial(place.socket);
    socket.write(word);
    assertEquals(await closed, "", word.slice(0, 60));
  }
});

test("who says nothing is gone after three seconds, and keeps nobody out meanwhile", async () => {
  const { place, door } = await stage();
  const since = performance.now();
  const quiet = Array.from({ length: 50 }, () => dial(place.socket));
  quiet[0]?.socket.write('{"protocol":');
  const served = await reached(place);
  assert(door.clients() >= 50);
  await Promise.all(quiet.map(({ closed }) => closed));
  assert(performance.now() - since > 2500);
  served.socket.destroy();
});

test("a client without a card, or with one that others can read, has no daemon", async () => {
  const { place } = await stage();
  const { chmodSync, rmSync } = await import("node:fs");
  chmodSync(place.directory, 0o755);
  assertEquals(await reach(place, { use: "rpc" }), "absent");
  chmodSync(place.directory, 0o700);
  (await reached(place)).socket.destroy();
  rmSync(`${place.directory}/daemon.json`);
  assertEquals(await reach(place, { use: "rpc" }), "absent");
});

test("a thousand idle connections take little memory, and one more is served", async () => {
  const { place, token } = await stage();
  const hello = { protocol: 2, version: "0.1.0", capabilities: [], ...place, token, use: "rpc" };
  const before = process.memoryUsage.rss();
  const idle = Array.from({ length: 1000 }, () => dial(place.socket));
  for (const { socket } of idle) socket.write(`${JSON.stringify(hello)}\n`);
  await Promise.all(idle.map(({ socket }) => new Promise((resolve) => socket.once("data", resolve))));
  const each = (process.memoryUsage.rss() - before) / idle.length;
  assert(each < 200 * 1024, `${Math.round(each / 1024)} kB for each, both ends`);
  (await reached(place)).socket.destroy();
  for (const { socket } of idle) socket.destroy();
});

test("reach leaves a daemon that says nothing when its patience is over", async () => {
  const place = newPlace();
  prepare(place);
  const silent = createServer().listen(place.socket);
  await new Promise((resolve) => silent.once("listening", resolve));
  writeCard(place, newCard());
  const since = performance.now();
  assertEquals(await reach(place, { use: "rpc" }, 50), "absent");
  assert(performance.now() - since < 900, "not the usual patience");
  silent.close();
});

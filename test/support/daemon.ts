// Daemons for tests: one in this process on a real socket, peers that speak an older protocol, and the program's own.
import { connect, createServer, type Socket } from "node:net";
import { after } from "node:test";
import { surroundings as ownSurroundings } from "../../src/core/places.ts";
import type { Config } from "../../src/core/config.ts";
import { answer } from "../../src/daemon/answers.ts";
import { reach, type Reached } from "../../src/daemon/client.ts";
import type { Methods } from "../../src/daemon/methods.ts";
import { clear, newCard, type Place, placeOf, prepare, writeCard } from "../../src/daemon/place.ts";
import { type Patience, type Remote, remoteMemory } from "../../src/daemon/remote.ts";
import { connectionOn } from "../../src/daemon/rpc.ts";
import { type Door, openDoor } from "../../src/daemon/server.ts";
import { openMemory } from "../../src/memory/open.ts";
import { openReader } from "../../src/memory/reader.ts";
import { settings } from "./stores.ts";
import { temporaryFolder } from "./temporary.ts";

export interface Stage {
  readonly config: Config;
  readonly place: Place;
  readonly token: string;
  readonly methods: Methods;
  readonly door: Door;
}

/** A place of its own, with nobody there. */
export function newPlace(config: Config = settings(), state: string = temporaryFolder()): Place {
  return placeOf(config, { ...ownSurroundings(), env: { HOLDFAST_STATE: state } });
}

/** `around` stands between the requests and the memory. */
export async function stage(around: (methods: Methods) => Methods = (methods) => methods): Promise<Stage> {
  const config = settings();
  const place = newPlace(config);
  prepare(place);
  clear(place);
  const memory = await openMemory(config);
  const reader = await openReader(config);
  const methods = around({
    ...memory,
    list: reader.list,
    status: () => Promise.reject(new Error("no status here")),
    stop: () => Promise.resolve(),
  });
  const card = newCard();
  const door = await openDoor({
    place,
    token: card.token,
    serve: {
      mcp: ({ socket }) => ({ ended: Promise.resolve(), drain: () => socket.destroy() }),
      rpc: ({ socket, rest }) => {
        connectionOn(socket, rest, (connection) => answer(connection, methods));
        return { ended: Promise.resolve(), drain: () => socket.destroy() };
      },
    },
  });
  writeCard(place, card);
  after(async () => {
    await door.close(100);
    await memory.close();
    await reader.close();
  });
  return { config, place, token: card.token, methods, door };
}

/** Closed when the test's file is done. */
export async function ask(place: Place, patience: Patience = {}): Promise<Remote> {
  const remote = remoteMemory(await reached(place), patience);
  after(() => remote.close());
  return remote;
}

export async function reached(place: Place): Promise<Reached> {
  const found = await reach(place, { use: "rpc" });
  if (typeof found === "string") throw new Error(`Not reached: ${found}`);
  return found;
}

/** Plays a daemon: says this hello to whoever comes, and answers each frame's message. */
export async function playDaemon(
  hello: object,
  answerTo: (message: { id: number; method: string; params: Record<string, unknown> }) => object | undefined,
): Promise<{ place: Place; asked: unknown[] }> {
  const place = newPlace();
  prepare(place);
  const asked: unknown[] = [];
  const server = createServer((socket) => {
    let read = "";
    let greeted = false;
    socket.on("error", () => {}).on("data", (chunk) => {
      read += chunk.toString();
      if (!greeted) {
        greeted = true;
        read = read.slice(read.indexOf("\n") + 1);
        socket.write(`${JSON.stringify({ store: place.store, ...hello })}\n`);
      }
      for (;;) {
        const [head, length] = /^(?:Content-Type[^\r]*\r\n)?Content-Length: (\d+)\r\n(?:[^\r]+\r\n)*\r\n/.exec(read) ??
          [];
        if (head === undefined || read.length < head.length + Number(length)) return;
        const message = JSON.parse(read.slice(head.length, head.length + Number(length)));
        read = read.slice(head.length + Number(length));
        asked.push(message);
        const reply = answerTo(message);
        if (reply) socket.write(frame({ jsonrpc: "2.0", id: message.id, ...reply }));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(place.socket, resolve));
  writeCard(place, newCard());
  after(() => server.close());
  return { place, asked };
}

export function frame(message: object): string {
  const body = JSON.stringify(message);
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

interface Dialled {
  readonly socket: Socket;
  /** What came back until it closed. */
  readonly closed: Promise<string>;
  /** What came back once it holds these words. */
  answer(words: string): Promise<string>;
}

/** A bare connection to a socket. */
export function dial(path: string): Dialled {
  const socket = connect(path);
  let read = "";
  const closed = new Promise<string>((resolve) => socket.once("close", () => resolve(read)));
  socket.on("error", () => {}).on("data", (chunk) => read += chunk.toString());
  after(() => socket.destroy());
  const answer = (words: string) =>
    new Promise<string>((resolve) => {
      const look = () => read.includes(words) && resolve(read);
      socket.on("data", look).once("close", () => resolve(read));
      look();
    });
  return { socket, closed, answer };
}

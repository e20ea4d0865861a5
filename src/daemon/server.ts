// The daemon's socket: who is let in, what each connection carries, and how all of them end.
import type { Buffer } from "node:buffer";
import { chmodSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import process from "node:process";
import { log } from "../core/log.ts";
import { admit, type ClientHello, hear, ownHello, say, type Use } from "./hello.ts";
import type { Place } from "./place.ts";

/** Connections at once; more are closed at once. */
const MOST_CLIENTS = 2000;

/** A client that was let in. */
export interface Guest {
  readonly socket: Socket;
  readonly hello: ClientHello;
  /** What was read after its hello. */
  readonly rest: Buffer;
}

/** What a connection carries: `ended` when it is over, `drain` to have it over within so many milliseconds. */
export interface Served {
  readonly ended: Promise<void>;
  drain(limit: number): void;
}

export interface Door {
  /** Connections at this moment, those that have not said hello among them. */
  clients(): number;
  /** Lets nobody in any more and ends what goes on, within so many milliseconds. */
  close(limit: number): Promise<void>;
}

export interface DoorParts {
  readonly place: Place;
  readonly token: string;
  readonly serve: Readonly<Record<Use, (guest: Guest) => Served>>;
}

/** Listens at the place, which must be clear. */
export async function openDoor({ place, token, serve }: DoorParts): Promise<Door> {
  const guests = new Map<Socket, Served | undefined>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    guests.set(socket, undefined);
    socket.on("error", () => socket.destroy()).on("close", () => guests.delete(socket));
    void welcome(socket, place, token).then((guest) => {
      if (guest) guests.set(socket, serve[guest.hello.use](guest));
    }).catch((thrown) => {
      log("a connection failed", String(thrown));
      socket.destroy();
    });
  });
  server.maxConnections = MOST_CLIENTS;
  await listen(server, place.socket);
  return {
    clients: () => guests.size,
    async close(limit) {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const [socket, served] of guests) {
        if (served) served.drain(limit);
        else socket.destroy();
      }
      const late = setTimeout(() => guests.forEach((_, socket) => socket.destroy()), limit);
      await closed;
      clearTimeout(late);
    },
  };
}

/** Undefined, and the connection closed without a word, for whoever does not know the token. */
async function welcome(socket: Socket, place: Place, token: string): Promise<Guest | undefined> {
  const heard = await hear(socket);
  const refused = heard ? admit({ place, token }, heard.hello) : "stranger";
  if (!heard || refused === "stranger") return void socket.destroy();
  say(socket, { ...ownHello(place), ...(refused ? { refused } : {}) });
  if (refused) return void socket.end();
  return { socket, hello: heard.hello as ClientHello, rest: heard.rest }; // admitted, so it is one
}

async function listen(server: Server, path: string): Promise<void> {
  const mask = process.platform === "win32" ? undefined : process.umask(0o177);
  try {
    await new Promise<void>((resolve, reject) =>
      server.once("error", reject).listen({ path, backlog: MOST_CLIENTS }, resolve)
    );
  } finally {
    if (mask !== undefined) process.umask(mask);
  }
  if (mask !== undefined) chmodSync(path, 0o600);
}

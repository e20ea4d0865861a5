// The way to a running daemon: found by its card, greeted, and asked. No daemon is no fault.
import { connect, type Socket } from "node:net";
import type { Buffer } from "node:buffer";
import { type ClientHello, type DaemonHello, hear, ownHello, say } from "./hello.ts";
import { type Place, readCard } from "./place.ts";

/** How long a daemon may take to be connected to, and then to let a client in: it is never in the way for longer. Milliseconds. */
const PATIENCE = 1000;

export interface Reached {
  readonly socket: Socket;
  readonly hello: DaemonHello;
  readonly rest: Buffer;
}

/** Why there is nothing to speak to: nobody is there, or one who does not serve such a client. */
export type Unreached = "absent" | NonNullable<DaemonHello["refused"]>;

type Asked = Pick<ClientHello, "use" | "any" | "session" | "answered">;

/** A connection to the daemon of the place, both hellos said. */
export async function reach(place: Place, asked: Asked, patience = PATIENCE): Promise<Reached | Unreached> {
  const card = readCard(place);
  if (!card) return "absent";
  const socket = await open(place.socket, patience);
  if (!socket) return "absent";
  say(socket, { ...ownHello(place), token: card.token, settings: place.settings, ...asked });
  const heard = await hear(socket, patience);
  const hello = heard?.hello as DaemonHello | undefined; // what a daemon says
  if (heard && hello && hello.store === place.store && hello.refused === undefined) {
    return { socket, hello, rest: heard.rest };
  }
  socket.destroy();
  return hello?.refused ?? "absent";
}

function open(path: string, patience: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ path, allowHalfOpen: true });
    const settle = (found: Socket | undefined) => {
      clearTimeout(late);
      if (!found) socket.destroy();
      resolve(found);
    };
    const late = setTimeout(() => settle(undefined), patience);
    socket.once("connect", () => settle(socket)).on("error", () => settle(undefined)); // stays: a later error is a closed socket
  });
}

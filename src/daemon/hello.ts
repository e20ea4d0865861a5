// The first line each way: who speaks, which store is meant, and the token that lets a client in.
import { Buffer } from "node:buffer";
import { createHash, timingSafeEqual } from "node:crypto";
import type { Socket } from "node:net";
import { isObject } from "../core/json.ts";
import { VERSION } from "../core/version.ts";
import type { Place } from "./place.ts";

/** Of what is said on the socket; OLDEST is the oldest that is still understood. */
const PROTOCOL = 2;
const OLDEST = 1;

/** What a peer may rely on beyond the oldest protocol. A request that needs one is not sent to a daemon without it. */
const CAPABILITIES = ["report_not_found"] as const;
export type Capability = typeof CAPABILITIES[number];

/** What the connection carries once both have said hello: an MCP conversation, or requests to the memory. */
export type Use = "mcp" | "rpc";

export interface Hello {
  readonly protocol: number;
  readonly version: string;
  readonly capabilities: readonly string[];
  readonly store: string;
}

export interface ClientHello extends Hello {
  readonly token: string;
  readonly settings: string;
  readonly use: Use;
  /** Served whatever the settings: to ask about the daemon, not about memories. */
  readonly any?: boolean | undefined;
  /** Of an MCP conversation: the session that facts are told in, and the `initialize` that is answered already. */
  readonly session?: string | undefined;
  readonly answered?: string | number | undefined;
}

export interface DaemonHello extends Hello {
  /** Why a client with the right token is not served; it closes the connection. */
  readonly refused?: "settings" | "protocol" | "store";
}

const LIMIT = 8 * 1024;

/** How long a peer may take over its first line, in milliseconds. */
const HELLO_TIME = 3000;

export function ownHello(place: Place): Hello {
  return { protocol: PROTOCOL, version: VERSION, capabilities: CAPABILITIES, store: place.store };
}

/** Whether a client may come in: `stranger` where it does not know the token, else why it is not served, if it is not. */
export function admit(
  { place, token }: { readonly place: Place; readonly token: string },
  hello: Hello,
): DaemonHello["refused"] | "stranger" {
  if (!isClientHello(hello) || !isToken(hello.token, token)) return "stranger";
  if (hello.protocol < OLDEST) return "protocol";
  if (hello.store !== place.store) return "store";
  return hello.any === true || hello.settings === place.settings ? undefined : "settings";
}

export function say(socket: Socket, hello: ClientHello | DaemonHello): void {
  socket.write(`${JSON.stringify(hello)}\n`);
}

/** The first line as a hello and what was read after it; undefined for anything else, and for a peer that takes too long. */
export function hear(socket: Socket, patience = HELLO_TIME): Promise<{ hello: Hello; rest: Buffer } | undefined> {
  let read = Buffer.alloc(0);
  return new Promise((resolve) => {
    const settle = (found: { hello: Hello; rest: Buffer } | undefined) => {
      clearTimeout(late);
      socket.off("data", take).off("close", fail).off("end", fail).off("error", fail).pause();
      resolve(found);
    };
    const fail = () => settle(undefined);
    const take = (chunk: Buffer) => {
      read = Buffer.concat([read, chunk]);
      const end = read.indexOf(10);
      if (end < 0 && read.length > LIMIT) return fail();
      if (end < 0) return;
      const hello = parsed(read.toString("utf8", 0, end));
      settle(hello && { hello, rest: read.subarray(end + 1) });
    };
    const late = setTimeout(fail, patience);
    socket.on("data", take).on("close", fail).on("end", fail).on("error", fail);
  });
}

/** Takes the same time for every wrong token. */
function isToken(given: string, token: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}

function isClientHello(hello: Hello): hello is ClientHello {
  const { token, settings, use, session, answered } = hello as Partial<Record<keyof ClientHello, unknown>>; // told here
  return typeof token === "string" && typeof settings === "string" && (use === "mcp" || use === "rpc") &&
    ["string", "undefined"].includes(typeof session) && ["string", "number", "undefined"].includes(typeof answered);
}

function parsed(line: string): Hello | undefined {
  try {
    const hello: unknown = JSON.parse(line);
    if (!isObject(hello)) return undefined;
    const { protocol, version, capabilities, store } = hello;
    const usual = typeof protocol === "number" && typeof version === "string" && typeof store === "string" &&
      Array.isArray(capabilities) && capabilities.every((one) => typeof one === "string");
    return usual ? hello as unknown as Hello : undefined; // told by the line above
  } catch {
    return undefined;
  }
}

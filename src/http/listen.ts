// HTTP on a socket: requests into the door's own terms, answers back at the client's pace, and limits on who takes how long.
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { isIP } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { Readable } from "node:stream";
import { MemoryError } from "../core/errors.ts";
import { log } from "../core/log.ts";
import { type DoorParts, openHttpDoor } from "./door.ts";

/** Milliseconds for a request's headers, for all of it, and until an idle connection is closed. */
export const TIMES = { headers: 10_000, request: 30_000, idle: 5000 };
/** How long an answer may wait for its reader. */
const UNREAD = 30_000;
const MOST_CONNECTIONS = 1024;
const RATE = 1000;

export interface HttpSettings extends Pick<DoorParts, "token" | "mcp" | "memory" | "gauges"> {
  /** `HOST:PORT`; port 0 for any. */
  readonly bind: string;
  /** A bind beyond this machine was asked for by name, and with a token of the user's. */
  readonly allowRemote?: boolean | undefined;
  readonly rate?: number;
  readonly times?: typeof TIMES;
}

export interface Listening {
  /** Such as `http://127.0.0.1:7411`. */
  readonly address: string;
  /** When the last request came, milliseconds since 1970. */
  lastAsked(): number;
  /** Ends the answers under way within so many milliseconds. */
  close(limit: number): Promise<void>;
}

/** @throws MemoryError invalid_argument where the address cannot be listened on. */
export async function listenHttp(settings: HttpSettings): Promise<Listening> {
  const { host, port } = readBind(settings.bind);
  if (!isLoopback(host) && settings.allowRemote !== true) {
    throw new MemoryError("invalid_argument", `Cannot listen on ${host}: it can be reached from other machines`, {
      hint: "Listen on 127.0.0.1, or set HOLDFAST_HTTP_TOKEN and add --http-remote, behind something that speaks TLS",
    });
  }
  const hosts = new Set<string>();
  const { answer } = openHttpDoor({ rate: RATE, ...settings, hosts });
  let lastAsked = Date.now();
  const { headers, request, idle } = settings.times ?? TIMES;
  const server = createServer(
    {
      headersTimeout: headers,
      requestTimeout: request,
      keepAliveTimeout: idle,
      connectionsCheckingInterval: headers / 2,
    },
    (asked, reply) => {
      lastAsked = Date.now();
      void serve(asked, reply, answer).catch(() => reply.destroy());
    },
  );
  server.maxConnections = MOST_CONNECTIONS;
  const bound = await listen(server, host, port);
  for (const name of names(host)) hosts.add(`${name.toLowerCase()}:${bound}`);
  if (bound === 80) { for (const name of names(host)) hosts.add(name.toLowerCase()); }
  server.on("error", (error) => log("HTTP", error.message));
  return {
    address: `http://${isIP(host) === 6 ? `[${host}]` : host}:${bound}`,
    lastAsked: () => lastAsked,
    async close(limit) {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      const late = setTimeout(() => server.closeAllConnections(), limit);
      await closed;
      clearTimeout(late);
    },
  };
}

async function serve(asked: IncomingMessage, reply: ServerResponse, answer: (request: Request) => Promise<Response>) {
  const gone = new AbortController();
  reply.once("close", () => gone.abort());
  const request = requestOf(asked, gone.signal);
  const response = request ? await answer(request) : new Response(null, { status: 400 });
  reply.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    ...(asked.complete || !hasBody(asked) ? {} : { connection: "close" }), // what of the body is left is not read
  });
  for await (const chunk of response.body ?? []) {
    if (!reply.write(chunk)) {
      await once(reply, "drain", { signal: AbortSignal.any([gone.signal, AbortSignal.timeout(UNREAD)]) });
    }
  }
  reply.end();
}

/** Undefined for a target that is no path, and for a method that no page may use. */
function requestOf(asked: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = "GET", url = "" } = asked;
  const parsed = url.startsWith("/") ? URL.parse(url, "http://holdfast.invalid") : null;
  if (parsed === null || ["CONNECT", "TRACE", "TRACK"].includes(method)) return undefined;
  const body = hasBody(asked) ? { body: Readable.toWeb(asked) as ReadableStream, duplex: "half" } : {}; // the same stream by another name
  return new Request(parsed, { method, headers: headersOf(asked), signal, ...body } as RequestInit);
}

function hasBody({ method }: IncomingMessage): boolean {
  return method !== "GET" && method !== "HEAD";
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  return headers;
}

function readBind(bind: string): { host: string; port: number } {
  const [, bracketed, plain, port = ""] = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+)):(\d{1,5})$/i.exec(bind) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port) > 65_535) {
    throw new MemoryError("invalid_argument", `Cannot listen on "${bind.slice(0, 100)}": give HOST:PORT`, {
      hint: "holdfast daemon run --http 127.0.0.1:7411",
    });
  }
  return { host, port: Number(port) };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

/** What a client of this address may call it. */
function names(host: string): string[] {
  const local = ["localhost", "127.0.0.1", "[::1]"];
  const bracketed = (address: string) => isIP(address) === 6 ? `[${address}]` : address;
  if (isLoopback(host)) return [...local, bracketed(host)];
  const own = Object.values(networkInterfaces()).flatMap((some = []) => some.map(({ address }) => bracketed(address)));
  return [...local, ...own, hostname(), bracketed(host)];
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", ({ code }: NodeJS.ErrnoException) =>
      reject(
        new MemoryError(
          "invalid_argument",
          `Cannot listen on ${host}:${port}: ${WHY[code ?? ""] ?? "the system refuses it"}`,
          {
            hint: "Give another port with --http HOST:PORT",
          },
        ),
      )).listen(port, host, () => {
        const address = server.address();
        resolve(typeof address === "object" && address !== null ? address.port : port);
      });
  });
}

const WHY: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program listens there",
  EACCES: "that port is for the system's administrator",
  EADDRNOTAVAIL: "this machine has no such address",
  ENOTFOUND: "there is no such host",
};

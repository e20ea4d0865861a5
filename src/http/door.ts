// Who may ask over HTTP and for what: guards in order, then one table of routes. It knows requests and answers, not sockets.
import { MemoryError } from "../core/errors.ts";
import type { Memory } from "../memory/memory.ts";
import { type Gauges, Metrics } from "./metrics.ts";
import { openApi } from "./openapi.ts";
import { callOverRest, fault, json, TOOL_NAMES } from "./rest.ts";
import { bears } from "./token.ts";

/** Bytes of a request's body: room for the largest checkpoint, with its messages. */
export const BODY_LIMIT = 16 * 1024 * 1024;

export interface DoorParts {
  readonly token: string;
  /** Values of `Host` that are this server's, in lower case. */
  readonly hosts: ReadonlySet<string>;
  /** Requests in a second, on the average; twice as many may come at once. */
  readonly rate: number;
  readonly mcp: (request: Request) => Promise<Response>;
  readonly memory: () => Promise<Memory>;
  readonly gauges: () => Promise<Gauges>;
}

export interface HttpDoor {
  readonly metrics: Metrics;
  /** Never rejects. */
  answer(request: Request): Promise<Response>;
}

interface Route {
  readonly path: string;
  readonly methods: readonly string[];
  /** Asked without a token. */
  readonly open?: true;
  run(request: Request): Response | Promise<Response>;
}

export function openHttpDoor(parts: DoorParts): HttpDoor {
  const metrics = new Metrics();
  const routes = routesOf(parts, metrics);
  const take = bucket(parts.rate);
  const answer = async (request: Request, route: Route | undefined): Promise<Response> => {
    const { hosts, token } = parts;
    if (!hosts.has(request.headers.get("host")?.toLowerCase() ?? "")) {
      return refuse(403, "The host asked for is not this server's");
    }
    if (!isOwnOrigin(request.headers.get("origin"), hosts)) return refuse(403, "The origin is not this server's");
    if (!route?.open) {
      if (!bears(request.headers.get("authorization"), token)) {
        return withHeader(refuse(401, "A bearer token is needed"), "www-authenticate", "Bearer");
      }
      if (!take()) return withHeader(refuse(429, "Too many requests"), "retry-after", "1");
    }
    if (!route) return refuse(404, "There is nothing here", "The routes are in /v1/openapi.json; MCP is at /mcp");
    if (!route.methods.includes(request.method)) {
      return withHeader(refuse(405, `This takes ${route.methods.join(" or ")}`), "allow", route.methods.join(", "));
    }
    return await route.run(request);
  };
  return {
    metrics,
    async answer(request) {
      const route = routes.get(new URL(request.url).pathname);
      const since = performance.now();
      metrics.underWay++;
      const response = await answer(request, route).catch(() => refuse(500, "Something went wrong inside Holdfast"));
      metrics.underWay--;
      metrics.count(route?.path ?? "other", response.status, (performance.now() - since) / 1000);
      response.headers.set("cache-control", "no-store");
      response.headers.set("x-content-type-options", "nosniff");
      return response;
    },
  };
}

function routesOf({ mcp, memory, gauges }: DoorParts, metrics: Metrics): ReadonlyMap<string, Route> {
  const ready = lately(() => gauges().then(() => true, () => false));
  const tools = TOOL_NAMES.map((name): Route => ({
    path: `/v1/${name}`,
    methods: ["POST"],
    async run(request) {
      const body = await bodyOf(request);
      return typeof body === "string" ? await callOverRest(name, body, memory) : body;
    },
  }));
  const routes: readonly Route[] = [
    { path: "/healthz", methods: ["GET"], open: true, run: async () => state(await ready()) },
    { path: "/readyz", methods: ["GET"], run: async () => state(await ready()) },
    {
      path: "/metrics",
      methods: ["GET"],
      run: async () =>
        new Response(metrics.print(await gauges()), { headers: { "content-type": "text/plain; version=0.0.4" } }),
    },
    { path: "/v1/openapi.json", methods: ["GET"], run: () => json(openApi(), 200) },
    ...tools,
    { path: "/mcp", methods: ["POST"], run: mcp },
  ];
  return new Map(routes.map((route) => [route.path, route]));
}

/** The body as text, or why it is not taken; no more than the limit is ever held. */
async function bodyOf(request: Request): Promise<string | Response> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get("content-type") ?? "")) {
    return refuse(415, "The body must be application/json");
  }
  const tooLarge = () => refuse(413, `The body is too large: at most ${BODY_LIMIT} bytes`);
  if (Number(request.headers.get("content-length") ?? 0) > BODY_LIMIT) return tooLarge();
  const decoder = new TextDecoder();
  let [text, size] = ["", 0];
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > BODY_LIMIT) return tooLarge();
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** A page of elsewhere names its origin; a program names none. */
function isOwnOrigin(origin: string | null, hosts: ReadonlySet<string>): boolean {
  const own = origin?.toLowerCase();
  return own === undefined || (own.startsWith("http://") && hosts.has(own.slice("http://".length)));
}

function state(good: boolean): Response {
  return json({ ok: good }, good ? 200 : 503);
}

/** Anyone may ask whether all is well: the store is asked once a second at most. */
function lately<T>(look: () => Promise<T>): () => Promise<T> {
  let [seen, until]: [Promise<T> | undefined, number] = [undefined, 0];
  return () => {
    if (seen && performance.now() < until) return seen;
    until = performance.now() + 1000;
    return seen = look();
  };
}

/** How many may come is known at any moment: it grows by `rate` a second up to twice that. */
function bucket(rate: number): () => boolean {
  let left = rate * 2;
  let last = performance.now();
  return () => {
    const now = performance.now();
    left = Math.min(rate * 2, left + ((now - last) / 1000) * rate);
    last = now;
    return left >= 1 && left-- > 0;
  };
}

function refuse(status: number, message: string, hint?: string): Response {
  return fault(new MemoryError(status >= 500 ? "internal" : "invalid_argument", message, { hint }), status);
}

function withHeader(response: Response, name: string, value: string): Response {
  response.headers.set(name, value);
  return response;
}

// An embedding endpoint on the loopback interface that behaves in whatever manner a test asks, and what is installed.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { openMiniLm } from "../../src/embed/minilm.ts";

/** Why tests of minilm are skipped; false where its packages are here. */
export const MINILM_ABSENT: string | false = await openMiniLm().then(
  () => false as const,
  () => "the optional packages of minilm are not installed",
);

/** A test that nothing but a thread at work keeps going would end before its time. */
export async function awake(work: () => Promise<void>): Promise<void> {
  const timer = setInterval(() => {}, 1000);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
}

export interface Asked {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly model: unknown;
  readonly input: readonly string[];
}

export interface Endpoint {
  readonly url: string;
  /** How the next requests are answered. */
  manner: Manner;
  readonly asked: Asked[];
  close(): Promise<void>;
}

type Reply = (response: ServerResponse, asked: Asked) => void;

const json = (response: ServerResponse, body: unknown, status = 200) => {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
};
const openai = (response: ServerResponse, vectors: readonly (readonly unknown[])[]) => {
  // Backwards: `index` tells the order, not the place.
  json(response, { data: vectors.map((embedding, index) => ({ index, embedding })).reverse() });
};
const vectors = ({ input }: Asked, width = 64) => input.map((text) => hashed(text, width));

const MANNERS = {
  openai: (response, asked) => openai(response, vectors(asked)),
  ollama: (response, asked) => json(response, { embeddings: vectors(asked) }),
  wide: (response, asked) => openai(response, vectors(asked, 96)),
  ragged: (response, { input }) => openai(response, input.map((text, at) => hashed(text, 64 + at))),
  empty: (response, { input }) => openai(response, input.map(() => [])),
  nan: (response, { input }) => openai(response, input.map(() => [1, "NaN", null])),
  huge: (response, { input }) => openai(response, input.map(() => [1e300, 1])),
  fewer: (response) => openai(response, []),
  strange: (response) => json(response, [{ secret: "echo" }]),
  null: (response) => json(response, null),
  error: (response) => json(response, { error: "echo" }, 500),
  locked: (response) => json(response, { error: "bad key echo" }, 401),
  html: (response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>echo</html>"),
  cut: (response) => response.writeHead(200, { "content-length": "1000" }).write("{", () => response.destroy()),
  redirect: (response) => response.writeHead(307, { location: "/elsewhere/embeddings" }).end("echo"),
  stall: () => {},
  trickle: (response) => response.writeHead(200).write("{"),
  picky: (response, asked) => {
    if (asked.input.some((text) => text.includes("unspeakable"))) json(response, { error: "too long" }, 400);
    else openai(response, vectors(asked));
  },
} satisfies Record<string, Reply>;

export type Manner = keyof typeof MANNERS;

export async function openEndpoint(manner: Manner = "openai"): Promise<Endpoint> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const one = { path: request.url ?? "", authorization: request.headers.authorization, ...await bodyOf(request) };
    asked.push(one);
    MANNERS[endpoint.manner](response, one);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  const { port } = server.address() as AddressInfo; // listening on TCP
  const endpoint: Endpoint = {
    url: `http://127.0.0.1:${port}`,
    manner,
    asked,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return endpoint;
}

async function bodyOf(request: IncomingMessage): Promise<{ model: unknown; input: string[] }> {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  return JSON.parse(body);
}

/** A bag of words: texts that share words are near each other. Not of length 1. */
function hashed(text: string, width: number): number[] {
  const vector = Array.from({ length: width }, () => 0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []) {
    let hash = 7;
    for (const letter of word) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
    vector[hash % width] = (vector[hash % width] ?? 0) + 3;
  }
  return vector;
}

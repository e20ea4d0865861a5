// The HTTP door on a store of its own, as the daemon opens it.
import { connect } from "node:net";
import { after } from "node:test";
import { BODY_LIMIT } from "../../src/http/door.ts";
import { type HttpSettings, listenHttp, type Listening } from "../../src/http/listen.ts";
import { mcpOverHttp } from "../../src/mcp/http.ts";
import { openMemory } from "../../src/memory/open.ts";
import { openReader } from "../../src/memory/reader.ts";
import { settings } from "./stores.ts";

export const TOKEN = "a token that nobody can guess".replaceAll(" ", "-");

/** What a door answers in JSON. */
interface Told {
  readonly [key: string]: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

type Answer = Omit<Response, "json"> & { json(): Promise<Told> };

export interface HttpStage extends Listening {
  /** With the token, unless headers say otherwise; undefined leaves a header out. */
  ask(path: string, init?: RequestInit & { readonly json?: unknown }): Promise<Answer>;
}

/** Stopped when the test is done. */
export async function openHttp(over: Partial<HttpSettings> = {}): Promise<HttpStage> {
  const { stop, ...stage } = await startHttp(over);
  after(stop);
  return stage;
}

export async function startHttp(over: Partial<HttpSettings> = {}): Promise<HttpStage & { stop(): Promise<void> }> {
  const config = settings();
  const memory = await openMemory(config);
  const reader = await openReader(config);
  const parts = { memory: () => Promise.resolve(memory), reader: () => Promise.resolve(reader) };
  const listening = await listenHttp({
    bind: "127.0.0.1:0",
    token: TOKEN,
    memory: parts.memory,
    mcp: mcpOverHttp(parts, BODY_LIMIT),
    gauges: async () => ({ facts: await reader.count(), storeBytes: 4096, clients: 0 }),
    ...over,
  });
  return {
    ...listening,
    async stop() {
      await listening.close(100);
      await memory.close();
      await reader.close();
    },
    ask: async (path, { json, ...init } = {}) =>
      await fetch(`${listening.address}${path}`, {
        ...(json === undefined ? {} : { method: "POST", body: JSON.stringify(json) }),
        ...init,
        headers: {
          authorization: `Bearer ${TOKEN}`,
          ...(json === undefined ? {} : { "content-type": "application/json" }),
          ...init.headers as Record<string, string>,
        },
      }) as Answer,
  };
}

/** What comes back for these bytes until the server closes, or `patience` ms have passed. */
export function raw(address: string, bytes: string, patience = 3000): Promise<string> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve) => {
    let read = "";
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const end = () => (clearTimeout(timer), socket.destroy(), resolve(read));
    const timer = setTimeout(end, patience);
    socket.on("data", (chunk) => read += chunk.toString()).on("close", end).on("error", end);
  });
}

// MCP over standard input and output: one JSON-RPC message a line, in and out, and nothing else on standard output.
import { Buffer } from "node:buffer";
import process from "node:process";
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { isObject, parseJson } from "../core/json.ts";
import { log } from "../core/log.ts";
import type { Greeted } from "./greeting.ts";
import { onOrphaned } from "./parent.ts";
import { buildServer, type ServerParts } from "./server.ts";

/** Bytes in one message: room for the largest checkpoint, with its messages. */
const LINE_LIMIT = 16 * 1024 * 1024;
/** How long requests in flight may go on after the end of input: a write waits this long for a lock. Milliseconds. */
const DRAIN = 11_000;
const DRAIN_ON_SIGNAL = 800;

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;

/**
 * Serves until input ends, a signal comes or the parent is gone; every request read before that is answered.
 * @param greeted what was read and answered before
 */
export async function serve(parts: ServerParts, greeted: Greeted): Promise<void> {
  const transport = new StdioTransport(greeted);
  const ended = new Promise<void>((resolve) => transport.ended = resolve);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.once(signal, () => transport.drain(DRAIN_ON_SIGNAL));
  }
  process.on("unhandledRejection", (reason) => log(`unhandled rejection: ${String(reason)}`));
  const unwatch = onOrphaned(() => transport.drain(DRAIN_ON_SIGNAL));
  serveStdio(() => buildServer(parts), { transport, onerror: (error) => log(error.message) });
  await ended;
  unwatch();
}

class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Called once, when the last answer is out. */
  ended: () => void = () => {};

  readonly #input: Greeted["input"];
  readonly #output: Greeted["output"];
  readonly #greeted: Greeted;
  #greeting: string | number | undefined;
  #chunks: Buffer[] = [];
  #size = 0;
  #unanswered = new Map<string | number, number>();
  #draining = false;
  #closed = false;

  constructor(greeted: Greeted) {
    this.#input = greeted.input;
    this.#output = greeted.output;
    this.#greeted = greeted;
    this.#greeting = greeted.answered;
  }

  start(): Promise<void> {
    this.#output.on("error", () => void this.close());
    this.#read(this.#greeted.read);
    if (this.#greeted.ended) this.#end();
    else this.#listen();
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return Promise.resolve();
    const sent = this.#isGreeting(message) ? Promise.resolve() : this.#write(message);
    if (!("method" in message) && message.id !== undefined) this.#answered(message.id);
    return sent;
  }

  /** Reads no more, waits for the answers that are owed, at most `limit` milliseconds, and closes. */
  drain(limit: number): void {
    this.#draining = true;
    this.#input.pause();
    if (this.#unanswered.size === 0) void this.close();
    else setTimeout(() => void this.close(), limit).unref(); // a later, shorter limit comes first
  }

  close(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#closed = true;
    this.#input.destroy();
    this.onclose?.();
    this.ended();
    return Promise.resolve();
  }

  #listen(): void {
    this.#input.on("data", (chunk: Buffer) => this.#read(chunk));
    this.#input.on("end", () => this.#end());
    this.#input.on("error", () => this.drain(DRAIN));
    this.#input.resume();
  }

  #end(): void {
    if (this.#size > 0) this.#line(Buffer.alloc(0));
    this.drain(DRAIN);
  }

  /** The SDK's answer to the `initialize` that is answered already; the same id may come again later. */
  #isGreeting(message: JSONRPCMessage): boolean {
    if ("method" in message || message.id === undefined || message.id !== this.#greeting) return false;
    this.#greeting = undefined;
    return true;
  }

  #read(chunk: Buffer): void {
    let rest = chunk;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      this.#line(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
    }
    if (rest.length === 0) return;
    this.#size += rest.length;
    if (this.#size <= LINE_LIMIT) this.#chunks.push(rest);
    else this.#chunks = [];
  }

  #line(last: Buffer): void {
    const size = this.#size + last.length;
    const line = size <= LINE_LIMIT ? Buffer.concat([...this.#chunks, last]).toString("utf8").trim() : "";
    this.#chunks = [];
    this.#size = 0;
    if (size > LINE_LIMIT) {
      return this.#refuse(INVALID_REQUEST, `Message too large: at most ${LINE_LIMIT} bytes in a line (was ${size})`);
    }
    if (line !== "") this.#message(line);
  }

  #message(line: string): void {
    let value: unknown;
    try {
      value = parseJson(line);
    } catch {
      return this.#refuse(PARSE_ERROR, "Parse error: the line is not JSON");
    }
    if (Array.isArray(value)) {
      return this.#refuse(INVALID_REQUEST, "Invalid request: batches are not supported, send one message a line");
    }
    const fault = paramsFault(value);
    if (fault !== undefined) return this.#refuse(INVALID_PARAMS, fault, idOf(value));
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      return this.#refuse(INVALID_REQUEST, "Invalid request: not a JSON-RPC 2.0 message", idOf(value));
    }
    if ("method" in message && "id" in message) {
      this.#unanswered.set(message.id, (this.#unanswered.get(message.id) ?? 0) + 1);
    }
    if ("method" in message && message.method === "notifications/cancelled") {
      const cancelled = message.params?.["requestId"];
      if (typeof cancelled === "string" || typeof cancelled === "number") this.#answered(cancelled);
    }
    this.onmessage?.(message);
  }

  #answered(id: string | number): void {
    const left = (this.#unanswered.get(id) ?? 0) - 1;
    if (left > 0) this.#unanswered.set(id, left);
    else this.#unanswered.delete(id);
    if (this.#draining && this.#unanswered.size === 0) void this.close();
  }

  #refuse(code: number, message: string, id: string | number | null = null): void {
    void this.#write({ jsonrpc: "2.0", id, error: { code, message } });
  }

  #write(message: unknown): Promise<void> {
    return new Promise((resolve) => {
      this.#output.write(`${JSON.stringify(message)}\n`, () => resolve());
    });
  }
}

/** What the SDK would answer with a dump of its own checks. */
function paramsFault(message: unknown): string | undefined {
  if (!isObject(message) || idOf(message) === null) return undefined;
  const params = isObject(message["params"]) ? message["params"] : {};
  if (message["method"] === "initialize" && typeof params["protocolVersion"] !== "string") {
    return "Invalid params: protocolVersion must be a string";
  }
  if (message["method"] !== "tools/call") return undefined;
  if (typeof params["name"] !== "string") return "Invalid params: name must be a string";
  if (params["arguments"] === null) delete params["arguments"];
  if (params["arguments"] === undefined || isObject(params["arguments"])) return undefined;
  return "Invalid params: arguments must be an object";
}

function idOf(value: unknown): string | number | null {
  const id = isObject(value) ? value["id"] : null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

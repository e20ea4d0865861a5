// A conversation over two streams, for the SDK: what is read, what is owed, and what is refused before the SDK sees it.
import type { Buffer } from "node:buffer";
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from "@modelcontextprotocol/server";
import { idOf as operationOf } from "../core/ids.ts";
import { isObject, parseJson } from "../core/json.ts";
import type { Greeted } from "./greeting.ts";
import { type Line, Lines, tooLong } from "./lines.ts";
import { OPERATION } from "./server.ts";

/** Requests under way, and bytes not yet taken by the other side, from which on no more is read. */
const MOST_UNANSWERED = 64;
const MOST_UNSENT = 1024 * 1024;
/** How long requests in flight may go on after the end of input: a write waits this long for a lock. Milliseconds. */
const DRAIN = 11_000;

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;

export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Resolves when the last answer is out. */
  readonly ended: Promise<void>;

  readonly #greeted: Greeted;
  readonly #sessionId: string;
  readonly #lines: Lines;
  #greeting: string | number | undefined;
  #unanswered = new Map<string | number, number>();
  #draining = false;
  #closed = false;
  #settle: () => void = () => {};

  /** @param sessionId names the conversation: it and a line's number make the id of the write that the line asks for. */
  constructor(greeted: Greeted, sessionId: string) {
    this.#greeted = greeted;
    this.#sessionId = sessionId;
    this.#lines = new Lines(greeted.ordinal);
    this.#greeting = greeted.answered;
    this.ended = new Promise((resolve) => this.#settle = resolve);
  }

  start(): Promise<void> {
    const { input, output, owed, read, ended } = this.#greeted;
    output.on("error", () => void this.close()).on("drain", () => this.#pace());
    for (const line of owed) this.#line(line);
    this.#read(read);
    if (ended) this.#end();
    else input.on("data", (chunk: Buffer) => this.#read(chunk)).on("end", () => this.#end());
    input.on("error", () => this.drain(DRAIN)).on("close", () => this.drain(DRAIN));
    this.#pace();
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
    this.#greeted.input.pause();
    if (this.#unanswered.size === 0) void this.close();
    else setTimeout(() => void this.close(), limit).unref(); // a later, shorter limit comes first
  }

  close(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#closed = true;
    this.#greeted.leave();
    this.onclose?.();
    this.#settle();
    return Promise.resolve();
  }

  #end(): void {
    for (const line of this.#lines.end()) this.#line(line);
    this.drain(DRAIN);
  }

  /** The SDK's answer to the `initialize` that is answered already; the same id may come again later. */
  #isGreeting(message: JSONRPCMessage): boolean {
    if ("method" in message || message.id === undefined || message.id !== this.#greeting) return false;
    this.#greeting = undefined;
    return true;
  }

  #read(chunk: Buffer): void {
    for (const line of this.#lines.push(chunk)) this.#line(line);
    this.#pace();
  }

  /** A client that asks faster than it reads is not read until it has caught up. */
  #pace(): void {
    if (this.#draining || this.#closed) return;
    const { input, output } = this.#greeted;
    if (this.#unanswered.size < MOST_UNANSWERED && output.writableLength < MOST_UNSENT) input.resume();
    else input.pause();
  }

  #line(line: Line): void {
    if (line.bytes === undefined) return void this.#write(tooLong(line));
    const text = line.bytes.toString("utf8").trim();
    if (text !== "") this.#message(text, line.ordinal);
  }

  #message(line: string, ordinal: number): void {
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
    stamp(value, operationOf(this.#sessionId, ordinal));
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
    else this.#pace();
  }

  #refuse(code: number, message: string, id: string | number | null = null): void {
    void this.#write({ jsonrpc: "2.0", id, error: { code, message } });
  }

  #write(message: unknown): Promise<void> {
    return new Promise((resolve) => {
      this.#greeted.output.write(`${JSON.stringify(message)}\n`, () => resolve());
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

/** Marks a call with the id of its write. */
function stamp(message: unknown, operation: string): void {
  if (!isObject(message) || message["method"] !== "tools/call" || !isObject(message["params"])) return;
  const { params } = message;
  const meta = params["_meta"];
  if (meta === undefined || isObject(meta)) params["_meta"] = { ...meta, [OPERATION]: operation };
}

function idOf(value: unknown): string | number | null {
  const id = isObject(value) ? value["id"] : null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

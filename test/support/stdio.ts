// A server driven by bytes: what goes in is the test's affair, and every line that comes out is proved to be JSON-RPC.
import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";
import process from "node:process";
import type { Readable, Writable } from "node:stream";
import { assert, assertEquals } from "@std/assert";
import type { Reply } from "./clients.ts";
import { COMMAND, FIRST } from "./program.ts";

export interface Message {
  readonly jsonrpc: "2.0";
  readonly id?: string | number | null;
  readonly method?: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  /** From the last `end`, `kill` or start, in milliseconds. */
  readonly took: number;
}

export interface Settings {
  /** `--store`; none where absent. */
  readonly store?: string;
  readonly args?: readonly string[];
  /** Beside the surroundings; undefined unsets. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly uid?: number;
}

/** How long anything may take before the test gives up, in milliseconds. */
const PATIENCE = 20_000;
const UTF_8 = new TextDecoder("utf-8", { fatal: true });

export class Server {
  readonly child: ChildProcess;
  /** Every message, in order. */
  readonly messages: Message[] = [];
  /** What standard output carried beside messages. */
  readonly noise: string[] = [];
  readonly exited: Promise<Exit>;
  stderr = "";
  #rest = Buffer.alloc(0);
  #waiting = new Set<() => void>();
  #since = performance.now();
  #gone = false;
  #nextId = 1000;

  constructor(child: ChildProcess) {
    this.child = child;
    child.stdin?.on("error", () => {});
    child.stdout?.on("data", (chunk: Buffer) => this.#read(chunk));
    child.stderr?.on("data", (chunk: Buffer) => this.stderr += chunk.toString());
    this.exited = new Promise((resolve) => {
      child.on("close", (code, signal) => {
        this.#gone = true;
        if (this.#rest.length > 0) this.noise.push(`a cut line: ${this.#rest}`);
        resolve({ code, signal, took: performance.now() - this.#since });
        for (const wake of this.#waiting) wake();
      });
    });
  }

  write(bytes: string | Uint8Array): Promise<void> {
    const input = this.child.stdin as Writable; // spawned with pipes
    return new Promise((resolve) => input.write(bytes, () => resolve()));
  }

  send(message: object): Promise<void> {
    return this.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  /** The first message from `from` on that passes. */
  async receive(passes: (message: Message) => boolean, from = 0): Promise<Message> {
    const deadline = performance.now() + PATIENCE;
    for (;;) {
      const found = this.messages.slice(from).find(passes);
      if (found) return found;
      const left = deadline - performance.now();
      assert(left > 0, `No answer in ${PATIENCE} ms; had ${JSON.stringify(this.messages.slice(from)).slice(0, 500)}`);
      assert(!this.#gone, `The server is gone: ${this.stderr.slice(-500)}`);
      await new Promise<void>((resolve) => {
        const wake = () => (clearTimeout(timer), this.#waiting.delete(wake), resolve());
        const timer = setTimeout(wake, left);
        this.#waiting.add(wake);
      });
    }
  }

  async request(method: string, params?: object, id: string | number = this.#nextId++): Promise<Message> {
    const from = this.messages.length;
    await this.send({ id, method, ...(params ? { params } : {}) });
    return this.receive((message) => message.id === id, from);
  }

  initialize(protocolVersion: unknown = "2025-11-25"): Promise<Message> {
    const clientInfo = { name: "raw", version: "1" };
    return this.request("initialize", { protocolVersion, capabilities: {}, clientInfo });
  }

  /** A tool's result; errors of the tool are text alone, those of the protocol fail the test. */
  async call(name: string, args: object = {}): Promise<Reply> {
    const { result, error } = await this.request("tools/call", { name, arguments: args });
    assert(result, `${name}: ${error?.message}`);
    const reply = result as unknown as Reply; // judged below
    assertEquals(Object.hasOwn(reply, "structuredContent"), reply.isError !== true, JSON.stringify(reply));
    return reply;
  }

  /** The text of a call that must fail. */
  async fault(name: string, args: object = {}): Promise<string> {
    const reply = await this.call(name, args);
    assertEquals(reply.isError, true, JSON.stringify(reply));
    return textOf(reply);
  }

  /** The structured content of a call that must succeed. */
  async good(name: string, args: object = {}): Promise<Readonly<Record<string, unknown>>> {
    const reply = await this.call(name, args);
    assertEquals(reply.isError ?? false, false, textOf(reply));
    return reply.structuredContent ?? {};
  }

  end(): Promise<Exit> {
    this.#since = performance.now();
    this.child.stdin?.end();
    return this.exited;
  }

  kill(signal: NodeJS.Signals): Promise<Exit> {
    this.#since = performance.now();
    this.child.kill(signal);
    return this.exited;
  }

  #read(chunk: Buffer): void {
    const bytes = Buffer.concat([this.#rest, chunk]);
    const end = bytes.lastIndexOf(10) + 1;
    this.#rest = bytes.subarray(end);
    if (end > 0) { for (const line of split(bytes.subarray(0, end - 1))) this.#line(line); }
    for (const wake of this.#waiting) wake();
  }

  #line(bytes: Uint8Array): void {
    try {
      const message = JSON.parse(UTF_8.decode(bytes)) as Message;
      if (isMessage(message)) this.messages.push(message);
      else this.noise.push(UTF_8.decode(bytes));
    } catch {
      this.noise.push(Buffer.from(bytes).toString("latin1").slice(0, 200));
    }
  }
}

export function start({ store, args = [], env = {}, cwd, uid }: Settings): Server {
  const options: SpawnOptions = { env: surroundings(env), ...(cwd ? { cwd } : {}), ...(uid ? { uid, gid: uid } : {}) };
  const words = [...FIRST, "mcp", ...(store === undefined ? [] : ["--store", store]), ...args];
  return new Server(spawn(COMMAND, words, options));
}

/** Runs the test against a server of its own, which must then leave by itself and have said nothing but JSON-RPC. */
export async function withServer<T>(settings: Settings, use: (server: Server) => Promise<T>): Promise<T> {
  const server = start(settings);
  try {
    const value = await use(server);
    const { code } = await server.end();
    assertEquals(server.noise, []);
    assertEquals(code, 0, server.stderr.slice(-500));
    return value;
  } finally {
    server.child.kill("SIGKILL");
    await server.exited;
  }
}

/** This process's environment without Holdfast's settings, and with what the test sets. */
export function surroundings(env: Settings["env"] = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) =>
    !/^(HOLDFAST_|TURSO_|XDG_|NODE_TEST_|NODE_OPTIONS)/.test(name)
  );
  return Object.fromEntries(
    Object.entries({ ...Object.fromEntries(own), ...env }).filter(([, value]) => value !== undefined),
  );
}

export function textOf({ content }: Pick<Reply, "content">): string {
  return content.map(({ text }) => text).join("\n");
}

export async function bytesOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function isMessage(message: Message): boolean {
  if (typeof message !== "object" || message === null || message.jsonrpc !== "2.0") return false;
  if (message.method !== undefined) return typeof message.method === "string";
  return Object.hasOwn(message, "id") && Object.hasOwn(message, "result") !== Object.hasOwn(message, "error");
}

function* split(bytes: Buffer): Generator<Buffer> {
  let rest = bytes;
  for (let at = rest.indexOf(10); at >= 0; at = rest.indexOf(10)) {
    yield rest.subarray(0, at);
    rest = rest.subarray(at + 1);
  }
  yield rest;
}

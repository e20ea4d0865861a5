// An MCP conversation that a daemon has: its bytes go to and fro here, and what it owes comes back if the daemon dies.
import { Buffer } from "node:buffer";
import type { Duplex } from "node:stream";
import process from "node:process";
import { isObject } from "../core/json.ts";
import type { Greeted } from "./greeting.ts";
import { type Line, Lines, tooLong } from "./lines.ts";
import { onOrphaned } from "./parent.ts";

/** How long answers that are owed may take after the end of input, and after a signal. Milliseconds. */
const DRAIN = 11_000;
const DRAIN_ON_SIGNAL = 800;
/** A daemon that owes an answer and says nothing for so long is taken for dead. Milliseconds. */
const SILENCE = 30_000;
const END = Buffer.from("\n");

/**
 * Resolves when the conversation is over, or with what is left of it for this process to serve.
 * @param daemon past its hello
 */
export function attach(greeted: Greeted, daemon: Duplex): Promise<Greeted | undefined> {
  return new Attachment(greeted, daemon).done;
}

interface Owed {
  readonly id: unknown;
  readonly line: Line;
}

class Attachment {
  readonly done: Promise<Greeted | undefined>;

  readonly #greeted: Greeted;
  readonly #daemon: Duplex;
  readonly #asked: Lines;
  readonly #told = new Lines(0, Infinity);
  readonly #owed: Owed[] = [];
  #greeting: Line | undefined;
  #answered: Greeted["answered"];
  #ended = false;
  #leaving = false;
  #finished = false;
  #silence: NodeJS.Timeout | undefined;
  #settle: (left: Greeted | undefined) => void = () => {};
  readonly #undo: (() => void)[] = [];

  constructor(greeted: Greeted, daemon: Duplex) {
    this.#greeted = greeted;
    this.#daemon = daemon;
    this.#asked = new Lines(greeted.ordinal);
    this.#answered = greeted.answered;
    this.done = new Promise((resolve) => this.#settle = resolve);
    this.#listen();
    this.#take(greeted.read);
    if (greeted.ended) this.#endInput();
    else greeted.input.resume();
    daemon.resume();
  }

  #listen(): void {
    const { input, output } = this.#greeted;
    const on = <T extends NodeJS.EventEmitter>(emitter: T, event: string, act: (chunk: Buffer) => void) => {
      emitter.on(event, act);
      this.#undo.push(() => emitter.off(event, act));
    };
    on(input, "data", (chunk) => this.#take(chunk));
    for (const event of ["end", "close", "error"]) on(input, event, () => this.#endInput());
    on(output, "error", () => this.#leave(0));
    on(output, "drain", () => this.#daemon.resume());
    on(this.#daemon, "data", (chunk) => this.#give(chunk));
    on(this.#daemon, "drain", () => this.#ended || input.resume());
    for (const event of ["end", "close", "error"]) on(this.#daemon, event, () => this.#finish());
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
      on(process, signal, () => this.#leave(DRAIN_ON_SIGNAL));
    }
    this.#undo.push(onOrphaned(() => this.#leave(DRAIN_ON_SIGNAL)));
  }

  #take(chunk: Buffer): void {
    for (const line of this.#asked.push(chunk)) this.#send(line);
  }

  /** A line that is not sent leaves an empty one in its place: both sides number the same. */
  #send(line: Line): void {
    if (line.bytes === undefined) this.#greeted.output.write(`${JSON.stringify(tooLong(line))}\n`);
    else this.#note(line, line.bytes);
    const taken = this.#daemon.write(Buffer.concat([line.bytes ?? Buffer.alloc(0), END]));
    if (!taken) this.#greeted.input.pause();
    this.#listenFor();
  }

  #note(line: Line, bytes: Buffer): void {
    const message = parsed(bytes);
    if (!isObject(message) || typeof message["method"] !== "string") return;
    if (message["method"] === "initialize") this.#greeting ??= line;
    if (message["method"] === "notifications/cancelled" && isObject(message["params"])) {
      return this.#forget(message["params"]["requestId"]);
    }
    const { id } = message;
    if (id !== undefined && !(line === this.#greeting && id === this.#answered)) this.#owed.push({ id, line });
  }

  #give(chunk: Buffer): void {
    for (const { bytes } of this.#told.push(chunk)) {
      if (!bytes) continue;
      const message = parsed(bytes);
      if (isObject(message) && !("method" in message)) this.#forget(message["id"]);
      if (!this.#greeted.output.write(Buffer.concat([bytes, END]))) this.#daemon.pause();
    }
    if (this.#leaving && this.#owed.length === 0) this.#finish();
    else this.#listenFor();
  }

  #forget(id: unknown): void {
    const at = this.#owed.findIndex((one) => one.id === id);
    if (at < 0) return;
    const [gone] = this.#owed.splice(at, 1);
    if (gone && gone.line === this.#greeting) this.#answered = gone.id as Greeted["answered"]; // answered, so it had one
  }

  #endInput(): void {
    if (this.#ended) return;
    for (const line of this.#asked.end()) this.#send(line);
    this.#ended = true;
    this.#daemon.end();
    setTimeout(() => this.#leave(0), DRAIN).unref();
  }

  /** Answers no more than what comes in the time left. */
  #leave(limit: number): void {
    this.#leaving = true;
    this.#endInput();
    setTimeout(() => this.#finish(), this.#owed.length === 0 ? 0 : limit);
  }

  /** The daemon has gone, or nobody listens any more. */
  #finish(): void {
    if (this.#finished) return;
    this.#finished = true;
    for (const undo of this.#undo.splice(0)) undo();
    clearTimeout(this.#silence);
    this.#daemon.destroy();
    const { output, input, leave } = this.#greeted;
    if (this.#leaving || (this.#ended && this.#owed.length === 0)) {
      leave();
      return this.#settle(undefined);
    }
    const first = this.#greeting && this.#answered !== undefined ? [this.#greeting] : [];
    this.#settle({
      input: input.pause(),
      output,
      owed: [...first, ...this.#owed.map(({ line }) => line)],
      read: this.#asked.rest,
      ordinal: this.#asked.ordinal,
      ended: this.#ended,
      answered: first.length === 0 ? undefined : this.#answered,
      leave,
    });
  }

  #listenFor(): void {
    clearTimeout(this.#silence);
    if (this.#owed.length > 0) this.#silence = setTimeout(() => this.#finish(), SILENCE).unref();
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}

// Bytes cut into numbered lines: one JSON-RPC message a line, whoever carries it.
import { Buffer } from "node:buffer";

/** Bytes in one message: room for the largest checkpoint, with its messages. */
const LINE_LIMIT = 16 * 1024 * 1024;

export interface Line {
  /** Of all lines of the connection, from 0. */
  readonly ordinal: number;
  /** Without its end; undefined where it is longer than the limit. */
  readonly bytes: Buffer | undefined;
  readonly size: number;
}

export class Lines {
  #ordinal: number;
  #chunks: Buffer[] = [];
  #size = 0;

  readonly #limit: number;

  /** @param ordinal of the first line */
  constructor(ordinal = 0, limit = LINE_LIMIT) {
    this.#ordinal = ordinal;
    this.#limit = limit;
  }

  /** Of the line that is being read. */
  get ordinal(): number {
    return this.#ordinal;
  }

  /** What was read of it. */
  get rest(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  /** The lines that end in this chunk. */
  *push(chunk: Buffer): Generator<Line> {
    let rest = chunk;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      yield this.#line(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
    }
    if (rest.length === 0) return;
    this.#size += rest.length;
    if (this.#size <= this.#limit) this.#chunks.push(rest);
    else this.#chunks = [];
  }

  /** What was read last, though no line end came. */
  *end(): Generator<Line> {
    if (this.#size > 0) yield this.#line(Buffer.alloc(0));
  }

  #line(last: Buffer): Line {
    const size = this.#size + last.length;
    const bytes = size <= this.#limit ? Buffer.concat([...this.#chunks, last]) : undefined;
    this.#chunks = [];
    this.#size = 0;
    return { ordinal: this.#ordinal++, bytes, size };
  }
}

/** What is said of a line that is too long. */
export function tooLong({ size }: Line): object {
  const message = `Message too large: at most ${LINE_LIMIT} bytes in a line (was ${size})`;
  return { jsonrpc: "2.0", id: null, error: { code: -32600, message } };
}

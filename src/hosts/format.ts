// What a configuration format must do: read a document, and change one value in its text and nothing else.

/** Keys and list positions from the document's root. */
export type Way = readonly (string | number)[];

export interface Format {
  /** The document as plain values, `{}` where it is empty. @throws Unreadable */
  read(text: string): unknown;
  /** The text with the value at that way, made or replaced; a position one past a list's end adds to it. */
  set(text: string, way: Way, value: unknown): string;
  /** The text without what is at that way. */
  remove(text: string, way: Way): string;
  /** What a person pastes to have the value at that way. */
  snippet(way: Way, value: unknown): string;
}

/** A document that cannot be read, and where its fault is, counted from 1. */
export class Unreadable extends Error {
  readonly line: number;
  readonly column: number;

  constructor(message: string, line: number, column: number) {
    super(message);
    this.line = line;
    this.column = column;
  }

  static at(text: string, offset: number, message: string): Unreadable {
    const before = text.slice(0, offset).split("\n");
    return new Unreadable(message, before.length, (before.at(-1)?.length ?? 0) + 1);
  }
}

export function valueAt(root: unknown, way: Way): unknown {
  let value = root;
  for (const key of way) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string | number, unknown>>)[key]; // an own key, just looked for
  }
  return value;
}

export function eolOf(text: string): "\n" | "\r\n" {
  return /\r\n/.test(text) ? "\r\n" : "\n";
}

/** One level of indentation as the text has it: its first indented line's. */
export function indentOf(text: string): string {
  return /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
}

/** The white space that the line holding this offset begins with. */
export function marginOf(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start))?.[0] ?? "";
}

export function splice(text: string, from: number, to: number, piece: string): string {
  return text.slice(0, from) + piece + text.slice(to);
}

// TOML: one table put in or taken out, every other byte left as it is.
import { type AST, getStaticTOMLValue, ParseError, parseTOML } from "toml-eslint-parser";
import { eolOf, type Format, splice, Unreadable, type Way } from "./format.ts";

export const toml: Format = {
  read(text) {
    return getStaticTOMLValue(parsed(text));
  },
  set(text, way, value) {
    const [eol, table] = [eolOf(text), print(way, value)];
    const [first, ...more] = tables(text, way);
    if (!first) {
      const gap = text === "" ? "" : /\n$/.test(text) ? eol : eol + eol;
      return text + gap + table.replaceAll("\n", eol);
    }
    const kept = more.toReversed().reduce((left, one) => splice(left, ...withGap(left, one), ""), text);
    return splice(kept, ...first.range, table.trimEnd().replaceAll("\n", eol));
  },
  remove(text, way) {
    return tables(text, way).toReversed().reduce((left, one) => splice(left, ...withGap(left, one), ""), text);
  },
  snippet: print,
};

function parsed(text: string): AST.TOMLProgram {
  try {
    return parseTOML(text, { tomlVersion: "1.0.0" });
  } catch (thrown) {
    if (!(thrown instanceof ParseError)) throw thrown;
    throw new Unreadable(thrown.message.toLowerCase(), thrown.lineNumber, thrown.column + 1);
  }
}

/** The table of that name and those inside it. */
function tables(text: string, way: Way): AST.TOMLTable[] {
  return parsed(text).body[0].body.filter((node): node is AST.TOMLTable =>
    node.type === "TOMLTable" && way.every((key, at) => node.resolvedKey[at] === key)
  );
}

/** A table with its line's end and the empty line before it. */
function withGap(text: string, { range: [from, to] }: AST.TOMLTable): [number, number] {
  const before = /(?:(?<=\n)|^)[ \t]*\r?\n$/.exec(text.slice(0, from))?.[0].length ?? 0;
  const after = /^[ \t]*\r?\n/.exec(text.slice(to))?.[0].length ?? 0;
  return [from - before, to + after];
}

/** A table whose values are on a line each, nested ones in line. */
function print(way: Way, value: unknown): string {
  const lines = Object.entries(value ?? {}).map(([key, inner]) => `${bare(key)} = ${inline(inner)}`);
  return [`[${way.map((key) => bare(String(key))).join(".")}]`, ...lines, ""].join("\n");
}

function bare(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, inner]) => `${bare(key)} = ${inline(inner)}`);
  return `{ ${pairs.join(", ")} }`;
}

// JSON with comments: one property or element put in or taken out, every other byte left as it is.
import { getNodeValue, type Node, parse, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { eolOf, type Format, indentOf, marginOf, splice, Unreadable, type Way } from "./format.ts";

const LOOSE = { allowTrailingComma: true, disallowComments: false };

export const jsonc: Format = {
  read(text) {
    if (text.trim() === "") return {};
    tree(text);
    return parse(text, [], LOOSE);
  },
  set(text, way, value) {
    if (text.trim() === "") return `${print(wrapped(way, value), "  ", "\n")}\n`;
    let at = tree(text);
    for (const [depth, key] of way.entries()) {
      const next = child(at, key);
      if (!next) return insert(text, at, key, wrapped(way.slice(depth + 1), value));
      at = next;
    }
    return splice(text, at.offset, end(at), print(value, indentOf(text), eolOf(text), marginOf(text, at.offset)));
  },
  remove(text, way) {
    let at = tree(text);
    for (const key of way) {
      const next = child(at, key);
      if (!next) return text;
      at = next;
    }
    return cut(text, at.parent?.type === "property" ? at.parent : at);
  },
  snippet: (way, value) => print(wrapped(way, value), "  ", "\n"),
};

/** @throws Unreadable where it is not JSON with comments, or not an object. */
function tree(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, LOOSE);
  const [error] = errors;
  if (error) throw Unreadable.at(text, error.offset, sentence(printParseErrorCode(error.error)));
  if (root?.type !== "object") throw Unreadable.at(text, root?.offset ?? 0, "an object was expected");
  return root;
}

/** `CommaExpected` as words. */
function sentence(code: string): string {
  return code.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}

function child(node: Node, key: string | number): Node | undefined {
  if (node.type === "array") return node.children?.[Number(key)];
  return node.children?.findLast(({ children: [name] = [] }) => name && getNodeValue(name) === key)?.children?.[1];
}

function end({ offset, length }: Node): number {
  return offset + length;
}

function wrapped(way: Way, value: unknown): unknown {
  return way.reduceRight<unknown>((inner, key) => typeof key === "number" ? [inner] : { [key]: inner }, value);
}

function print(value: unknown, indent: string, eol: string, margin = ""): string {
  return JSON.stringify(value, null, indent).replaceAll("\n", `${eol}${margin}`);
}

/** A new last child. A container on one line stays on one line; anywhere else the child gets lines of its own. */
function insert(text: string, container: Node, key: string | number, value: unknown): string {
  const [indent, eol] = [indentOf(text), eolOf(text)];
  const named = (printed: string) => container.type === "array" ? printed : `${JSON.stringify(key)}: ${printed}`;
  const last = container.children?.at(-1);
  const close = end(container) - 1;
  if (!last) {
    const margin = marginOf(text, container.offset);
    const inner = margin + indent;
    const kept = text.slice(container.offset + 1, close).trimEnd(); // comments
    const child = named(print(value, indent, eol, inner));
    return splice(text, container.offset + 1, close, `${kept}${eol}${inner}${child}${eol}${margin}`);
  }
  const comma = commaAfter(text, end(last));
  if (!text.slice(end(last), close).includes("\n")) {
    const child = named(JSON.stringify(value));
    return comma === undefined
      ? splice(text, end(last), end(last), `, ${child}`)
      : splice(text, comma + 1, comma + 1, ` ${child},`);
  }
  const inner = marginOf(text, last.offset);
  const child = named(print(value, indent, eol, inner));
  const line = endOfLine(text, (comma ?? end(last) - 1) + 1);
  const grown = splice(text, line, line, `${eol}${inner}${child}${comma === undefined ? "" : ","}`);
  return comma === undefined ? splice(grown, end(last), end(last), ",") : grown;
}

/** Takes the child out with the comma that parted it from its neighbour, and with its line where it is alone there. */
function cut(text: string, node: Node): string {
  const container = node.parent;
  const siblings = container?.children ?? [];
  if (siblings.length === 1 && container && commaAfter(text, end(node)) === undefined) {
    const inside = text.slice(container.offset + 1, node.offset) + text.slice(end(node), end(container) - 1);
    if (inside.trim() === "") return splice(text, container.offset + 1, end(container) - 1, "");
  }
  const comma = commaAfter(text, end(node));
  const before = siblings[siblings.indexOf(node) - 1];
  const from = text.slice(0, node.offset).trimEnd().length;
  const lead = text.slice(from, node.offset).includes("\n") || before ? from : node.offset;
  const without = splice(text, lead, (comma ?? end(node) - 1) + 1, "");
  const parting = before && comma === undefined ? commaAfter(text, end(before)) : undefined;
  return parting === undefined ? without : splice(without, parting, parting + 1, "");
}

/** The comma that follows, over white space and comments. */
function commaAfter(text: string, from: number): number | undefined {
  const gap = /^(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*/.exec(text.slice(from))?.[0].length ?? 0;
  return text[from + gap] === "," ? from + gap : undefined;
}

/** Past a comment that stands on the same line. */
function endOfLine(text: string, from: number): number {
  const rest = /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\n]*?\*\/[ \t]*(?=[\r\n]))?/.exec(text.slice(from))?.[0] ?? "";
  return from + rest.trimEnd().length;
}

// YAML: one pair or list item put in or taken out, every other byte left as it is.
import { type Document, isCollection, isMap, isPair, isSeq, parseDocument, stringify } from "yaml";
import { eolOf, type Format, marginOf, splice, Unreadable, type Way } from "./format.ts";

export const yaml: Format = {
  read(text) {
    return parsed(text).toJS() ?? {};
  },
  set(text, way, value) {
    const eol = eolOf(text);
    const [key = "", ...inner] = way;
    const held = span(text, way);
    if (held) {
      return splice(text, ...held, item(way.at(-1) ?? "", value, marginOf(text, held[0])).replaceAll("\n", eol));
    }
    const within = span(text, way.slice(0, 1));
    if (!within) {
      const gap = text === "" || /\n$/.test(text) ? "" : eol;
      return text + gap + item(key, wrapped(inner, value), "").replaceAll("\n", eol);
    }
    const margin = marginOf(text, firstChild(text, way.slice(0, 1)) ?? within[0]);
    const deeper = firstChild(text, way.slice(0, 1)) === undefined ? "  " : "";
    const head = emptied(text, way.slice(0, 1));
    const tail = head === text ? within[1] : within[1] - (text.length - head.length);
    const gap = /\n$/.test(head.slice(0, tail)) ? "" : eol;
    return splice(head, tail, tail, gap + item(inner[0] ?? "", value, margin + deeper).replaceAll("\n", eol));
  },
  remove(text, way) {
    const held = span(text, way);
    return held ? splice(text, ...held, "") : text;
  },
  snippet: (way, value) => item(way[0] ?? "", wrapped(way.slice(1), value), ""),
};

/** @throws Unreadable */
function parsed(text: string): Document.Parsed {
  const document = parseDocument(text, { keepSourceTokens: true });
  const [error] = document.errors;
  if (error) {
    const { line, col } = error.linePos?.[0] ?? { line: 1, col: 1 };
    throw new Unreadable(error.message.split(/ at line | \n|\n/)[0]?.toLowerCase() ?? "not YAML", line, col);
  }
  if (document.contents !== null && !isMap(document.contents)) throw Unreadable.at(text, 0, "a mapping was expected");
  return document;
}

/** Whole lines, from the key or dash of the pair or item to the end of its last line. */
function span(text: string, way: Way): [number, number] | undefined {
  let node: unknown = parsed(text).contents;
  let from = 0;
  let to = 0;
  for (const key of way) {
    if (isMap(node) && !node.flow) {
      const pair = node.items.find((one) => String(one.key) === key);
      const start = rangeOf(pair?.key);
      if (!pair || !start) return undefined;
      from = start[0];
      to = (rangeOf(pair.value) ?? start)[1];
      node = pair.value;
    } else if (isSeq(node) && !node.flow) {
      const one = node.items[Number(key)];
      const range = rangeOf(one);
      if (!range) return undefined;
      from = text.lastIndexOf("-", range[0]);
      to = range[1];
      node = one;
    } else return undefined;
  }
  const line = text.lastIndexOf("\n", from - 1) + 1;
  if (text.slice(line, from).trim() !== "") return undefined;
  const over = text.slice(0, to).trimEnd().length;
  const end = text.indexOf("\n", Math.max(over, from));
  return [line, end < 0 ? text.length : end + 1];
}

function firstChild(text: string, way: Way): number | undefined {
  const node = parsed(text).getIn(way, true);
  if (!isCollection(node) || node.flow || node.items.length === 0) return undefined;
  const [first] = node.items;
  const range = isPair(first) ? rangeOf(first.key) : rangeOf(first);
  return range && (isSeq(node) ? text.lastIndexOf("-", range[0]) : range[0]);
}

/** The text with an empty `{}` or `[]` at that way gone, so that items can follow on lines of their own. */
function emptied(text: string, way: Way): string {
  const node = parsed(text).getIn(way, true);
  const range = isCollection(node) && node.flow && node.items.length === 0 ? node.range : undefined;
  if (!range) return text;
  const from = text.slice(0, range[0]).trimEnd().length;
  return splice(text, from, range[1], "");
}

function rangeOf(node: unknown): readonly [number, number, number] | undefined {
  return typeof node === "object" && node !== null && "range" in node
    ? node.range as [number, number, number] | undefined // every node of a parsed document has one
    : undefined;
}

function wrapped(way: Way, value: unknown): unknown {
  return way.reduceRight<unknown>((inner, key) => typeof key === "number" ? [inner] : { [key]: inner }, value);
}

/** A pair, or a list's item where the key is a position, each line after the margin. */
function item(key: string | number, value: unknown, margin: string): string {
  const printed = stringify(typeof key === "number" ? [value] : { [key]: value }, { lineWidth: 0 });
  return printed.replace(/^(?=.)/gm, margin);
}

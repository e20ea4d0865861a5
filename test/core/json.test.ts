// JSON that loses nothing between being sent, stored and answered.
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { isObject, parseJson, printJson } from "../../src/core/json.ts";

const EXACT = [
  '{"id":9007199254740993}',
  "[-9223372036854775808,18446744073709551615]",
  '{"a":{"b":[123456789012345678901234567890]}}',
  '{"text":"9007199254740993","n":1}',
  "[1234567890123456,9007199254740991]",
  '{"__proto__":12345678901234567890}',
];

for (const text of EXACT) {
  test(`parseJson and JSON.stringify give back ${text}`, () => {
    assertEquals(JSON.stringify(parseJson(text)), text);
  });
}

test("parseJson gives plain numbers where a double holds them", () => {
  assertEquals(parseJson("[1,-2.5,1e3,0.1234567890123456,9007199254740991]"), [
    1,
    -2.5,
    1000,
    0.1234567890123456,
    9007199254740991,
  ]);
});

test("parseJson and JSON.stringify give back any integers", () => {
  fc.assert(fc.property(fc.array(fc.bigInt()), (integers) => {
    const text = `{"all":[${integers.join(",")}]}`;
    assertEquals(JSON.stringify(parseJson(text)), text);
  }));
});

test("parseJson throws SyntaxError for what is no JSON", () => {
  for (const text of ["", "{", "{'a':1}", "[12345678901234567890", "undefined"]) {
    let thrown: unknown;
    try {
      parseJson(text);
    } catch (error) {
      thrown = error;
    }
    assert(thrown instanceof SyntaxError, text);
  }
});

test("isObject: objects alone", () => {
  assertEquals([{}, Object.create(null), { a: 1 }].map(isObject), [true, true, true]);
  assertEquals([null, undefined, [], "x", 1, true, () => 1].map(isObject), Array(7).fill(false));
});

test("isObject: a long integer is a number, not an object", () => {
  assert(!isObject(parseJson("12345678901234567890")));
});

const PRINTED: readonly (readonly [string, string, boolean])[] = [
  ["plain", '"plain"', false],
  ["a\u0000b", '"a\ufffdb"', true],
  ["\u0000\u0000", '"\ufffd\ufffd"', true],
  ["\ud800", '"\ufffd"', true],
  ["x\udfff\ud83d", '"x\ufffd\ufffd"', true],
  ["👋", '"👋"', false],
  ["\\u0000", '"\\\\u0000"', false],
  ["\\\\ud800", '"\\\\\\\\ud800"', false],
  ["\\\u0000", '"\\\\\ufffd"', true],
  ["\\\\\u0000\\u0000", '"\\\\\\\\\ufffd\\\\u0000"', true],
  ['"\u0001\n', '"\\"\\u0001\\n"', false],
];

for (const [value, json, replaced] of PRINTED) {
  test(`printJson gives ${json} for ${JSON.stringify(value)}`, () => {
    assertEquals(printJson(value), { json, replaced });
  });
}

test("printJson cleans keys too", () => {
  assertEquals(printJson({ "a\u0000": { "\ud800": 1 } }), { json: '{"a\ufffd":{"\ufffd":1}}', replaced: true });
});

test("printJson gives JSON that says the same, without NUL and half characters", () => {
  const units = fc.constantFrom("\\", "u0000", "ud800", "\u0000", "\ud800", "\udc00", '"', "👋", "x", "\n");
  fc.assert(fc.property(fc.array(units), (parts) => {
    const text = parts.join("");
    const printed = printJson([text]);
    assert(printed);
    const back = text.replaceAll("\u0000", "\ufffd").toWellFormed();
    assertEquals(JSON.parse(printed.json), [back]);
    assertEquals(printed.replaced, back !== text);
  }));
});

const nested = (depth: number, leaf: string) => '{"a":'.repeat(depth) + leaf + "}".repeat(depth);

test("printJson gives undefined for what cannot be printed, however deep, and never half of it", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;
  assertEquals([cyclic, { n: 1n }, undefined].map(printJson), [undefined, undefined, undefined]);
  const deep = nested(100_000, "1"); // too deep for the V8 of Node 22
  const printed = printJson(JSON.parse(deep));
  assert(printed === undefined || printed.json === deep);
});

test("parseJson reads back whatever printJson prints", () => {
  for (let depth = 500; depth <= 10_000; depth += 500) {
    const printed = printJson(JSON.parse(nested(depth, '"1234567890123456"')));
    if (printed) assertEquals(isObject(parseJson(printed.json)), true);
  }
});

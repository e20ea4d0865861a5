// Arguments as models send them.
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { readArguments } from "../../src/core/arguments.ts";

const schema = {
  properties: {
    n: { type: "number" },
    i: { type: "integer" },
    b: { type: "boolean" },
    a: { type: "array" },
    o: { type: "object" },
    s: { type: "string" },
    any: {},
  },
} as const;

const read = (raw: Record<string, unknown>, exact: readonly string[] = []) => readArguments(raw, schema, exact).values;

const TABLE: readonly (readonly [keyof typeof schema.properties, unknown, unknown])[] = [
  ["n", "5", 5],
  ["n", " -2.50 ", -2.5],
  ["n", "1e3", "1e3"],
  ["n", "0x10", "0x10"],
  ["n", "", ""],
  ["n", " ", " "],
  ["n", "Infinity", "Infinity"],
  ["n", ".5", ".5"],
  ["n", true, true],
  ["i", "8", 8],
  ["i", "8.5", 8.5],
  ["i", "8 apples", "8 apples"],
  ["b", "true", true],
  ["b", " false ", false],
  ["b", "yes", "yes"],
  ["b", "1", "1"],
  ["b", "", ""],
  ["b", 1, 1],
  ["a", "[1,2]", [1, 2]],
  ["a", '{"0":1}', '{"0":1}'],
  ["a", "[1,", "[1,"],
  ["a", "a,b", "a,b"],
  ["o", '{"x":1}', { x: 1 }],
  ["o", "[1]", "[1]"],
  ["o", "null", "null"],
  ["o", '"{}"', '"{}"'],
  ["o", "5", "5"],
  ["s", "5", "5"],
  ["s", "true", "true"],
  ["s", " padded ", " padded "],
  ["s", 5, 5],
  ["any", "5", "5"],
];

for (const [name, sent, taken] of TABLE) {
  test(`readArguments takes ${JSON.stringify(sent)} for ${name} as ${JSON.stringify(taken)}`, () => {
    assertEquals(read({ [name]: sent }), { [name]: taken });
  });
}

test("readArguments keeps every digit inside an object sent as a string", () => {
  assertEquals(JSON.stringify(read({ o: '{"id":9007199254740993}' })), '{"o":{"id":9007199254740993}}');
});

test("readArguments leaves a long integer alone where an object is due", () => {
  assertEquals(read({ o: "12345678901234567890" }), { o: "12345678901234567890" });
});

test("readArguments drops null, but not undefined text such as false, 0 and empty", () => {
  assertEquals(read({ n: null, s: "", i: 0, b: false }), { s: "", i: 0, b: false });
});

test("readArguments takes exact names as sent", () => {
  assertEquals(read({ b: "true", n: null, i: "5" }, ["b", "n"]), { b: "true", n: null, i: 5 });
});

test("readArguments names unknown arguments in the order sent, inherited names too", () => {
  const raw = JSON.parse('{"limit":1,"s":"x","__proto__":{"n":1},"toString":2,"constructor":3}');
  assertEquals(readArguments(raw, schema), {
    values: { s: "x" },
    ignored: ["limit", "__proto__", "toString", "constructor"],
  });
});

test("readArguments never throws and never adds a name", () => {
  const raw = fc.dictionary(
    fc.constantFrom(...Object.keys(schema.properties), "__proto__", "x"),
    fc.oneof(fc.anything(), fc.json()),
  );
  fc.assert(fc.property(raw, (given) => {
    const { values, ignored } = readArguments(given, schema);
    for (const name of [...Object.keys(values), ...ignored]) assertEquals(Object.hasOwn(given, name), true);
    assertEquals(Object.getPrototypeOf(values), Object.prototype);
  }));
});

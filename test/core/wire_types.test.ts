// The wire's types as checks and as printed schema.
import { test } from "node:test";
import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { type } from "arktype";
import { instant, jsonObject, name, printSchema, text, time } from "../../src/core/wire_types.ts";

const refusal = (checked: unknown): string => (checked instanceof type.errors ? checked.summary : "allowed");

const NAMES: readonly (readonly [string, string])[] = [
  ["my-app", "allowed"],
  [" padded ", "allowed"],
  ["__shared__", "allowed"],
  ["👋".repeat(256), "allowed"],
  ["👋".repeat(257), "1 to 256 characters (was 257 characters)"],
  ["", "1 to 256 characters (was 0 characters)"],
  ["a\nb", "control characters"],
  ["a\u0085b", "control characters"],
  ["\ud800", "valid Unicode"],
  [" \u00a0\u3000", "more than white space"],
];

for (const [value, expected] of NAMES) {
  test(`name: ${JSON.stringify(value.slice(0, 20))} (${value.length} units) is ${expected}`, () => {
    assertStringIncludes(refusal(name(value)), expected);
  });
}

test("text counts characters, not units, and names limit and size", () => {
  assertEquals(refusal(text(3)("👋👋👋")), "allowed");
  assertStringIncludes(refusal(text(3)("abcd")), "at most 3 characters (was 4 characters)");
});

test("text refuses blank unless told so", () => {
  assertStringIncludes(refusal(text(9)("")), "not blank (was empty)");
  assertStringIncludes(refusal(text(9)(" \u200b")), "not blank (was blank)");
  assertEquals(refusal(text(9, { blank: true })("")), "allowed");
});

test("instant takes what parseTime takes", () => {
  assertEquals(refusal(instant("2026-12-01")), "allowed");
  assertStringIncludes(refusal(instant("2026-02-30")), '"2026-02-30"');
});

test("time is answered in one form only", () => {
  assertEquals(refusal(time("2026-12-01T02:03:04.567Z")), "allowed");
  for (const other of ["2026-12-01", "2026-12-01T02:03:04Z", "+010000-01-01T00:00:00.000Z"]) {
    assertEquals(refusal(time(other)) === "allowed", false, other);
  }
});

test("jsonObject refuses arrays and null", () => {
  assertEquals(refusal(jsonObject({ a: [1] })), "allowed");
  assertStringIncludes(refusal(jsonObject([])), "an object (was an array)");
  assertEquals(refusal(jsonObject(null)) === "allowed", false);
});

test("printSchema prints our checks as keywords", () => {
  const wire = type({ name, "note?": text(20, { blank: true }), at: instant, "state?": jsonObject, body: text(5) });
  assertEquals(printSchema(wire), {
    type: "object",
    properties: {
      at: { type: "string" },
      body: { type: "string", minLength: 1, maxLength: 5 },
      name: { type: "string", minLength: 1, maxLength: 256 },
      note: { type: "string", maxLength: 20 },
      state: { type: "object", additionalProperties: true },
    },
    required: ["at", "body", "name"],
  });
});

test("printSchema puts a type beside every const and enum", () => {
  const { properties } = printSchema(type({ a: "'x'", b: "'x' | 'y'", c: "false" })) as { properties: unknown };
  assertEquals(properties, {
    a: { type: "string", const: "x" },
    b: { type: "string", enum: ["x", "y"] },
    c: { type: "boolean", const: false },
  });
});

test("printSchema gives a union an object's root with all branches' properties", () => {
  const union = type({ "+": "reject", action: "'add'", id: "string" }).or({
    "+": "reject",
    action: "'pin' | 'unpin'",
    ids: "string[]",
  });
  const printed = printSchema(union) as {
    type: string;
    properties: Record<string, unknown>;
    anyOf: { additionalProperties: unknown }[];
  };
  assertEquals(printed.type, "object");
  assertEquals(printed.properties, {
    action: { type: "string", enum: ["add", "pin", "unpin"] },
    id: { type: "string" },
    ids: { type: "array", items: { type: "string" } },
  });
  assertEquals(printed.anyOf.map(({ additionalProperties }) => additionalProperties), [false, false]);
});

for (
  const [why, schema] of Object.entries({
    "$schema": { $schema: "x", type: "object" },
    "$ref": { type: "object", properties: { a: { $ref: "#/x" } } },
    "$defs": { type: "object", $defs: {} },
    prefixItems: { type: "object", properties: { a: { type: "array", prefixItems: [], items: {} } } },
    nullable: { type: "object", properties: { a: { type: "string", nullable: true } } },
    "must have items": { type: "object", properties: { a: { type: "array" } } },
    "root must be an object": [],
  })
) {
  test(`printSchema throws where a schema breaks the rule: ${why}`, () => {
    assertThrows(() => printSchema({ toJsonSchema: () => schema }), Error, why);
  });
}

test("printSchema throws where branches disagree on a property's type", () => {
  const branch = (type: string) => ({ type: "object", properties: { id: { type } } });
  assertThrows(() => printSchema({ toJsonSchema: () => ({ anyOf: [branch("string"), branch("number")] }) }), Error);
});

// Whatever a document looks like, one value goes in and comes out again, and every other byte stays.
import { test } from "node:test";
import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { Unreadable, valueAt } from "../../src/hosts/format.ts";
import { jsonc } from "../../src/hosts/jsonc.ts";

const ENTRY = { command: "/n", args: ["/m", "mcp"] };

/** White space and comments as people leave them, on one line or many. */
const gap = fc.constantFrom(
  "",
  " ",
  "  ",
  "\n",
  "\n  ",
  "\n\t",
  "\r\n",
  " // note\n",
  " /* a */ ",
  "\n  // two\n  ",
  "\n\n",
);
const scalar = fc.constantFrom("1", "true", "null", '"x"', '"// no comment"', '"a, b"', '"\\"}"', "[]", "{}", "[1, 2]");

/** An object's text with these members, and perhaps a trailing comma. */
const object = (members: fc.Arbitrary<readonly string[]>) =>
  fc.tuple(members, fc.array(gap, { minLength: 8, maxLength: 8 }), fc.boolean()).map(([some, gaps, trailing]) => {
    const body = some.map((member, at) => `${gaps[at % 8]}${member}${gaps[(at + 3) % 8]}`).join(",");
    return `{${body}${trailing && some.length > 0 ? `,${gaps[5]}` : some.length === 0 ? gaps[6] : ""}}`;
  });
const members = (names: readonly string[], value: fc.Arbitrary<string>) =>
  fc.subarray([...names]).chain((chosen) =>
    fc.tuple(...chosen.map(() => value)).map((values) => chosen.map((name, at) => `"${name}": ${values[at]}`))
  );
const servers = object(members(["a", "b", "c"], fc.oneof(scalar, object(members(["command", "env"], scalar)))));
const document = fc.tuple(
  object(
    fc.tuple(members(["x", "y"], scalar), fc.option(servers, { nil: undefined }), members(["z"], scalar)).map(
      ([before, held, after]) => [...before, ...(held === undefined ? [] : [`"mcpServers": ${held}`]), ...after],
    ),
  ),
  gap,
).map(([text, end]) => text + end);

/** The bytes that mean something to somebody else: all but white space and commas, strings and comments whole. */
function tokens(text: string): string[] {
  return text.match(/"(?:\\.|[^"\\])*"|\/\/[^\n]*|\/\*[^]*?\*\/|[^\s,]/g)?.map((one) => one.trimEnd()) ?? [];
}

test("set puts the value in and leaves what is around it; remove takes it out again", () => {
  fc.assert(
    fc.property(document, (text) => {
      const way = ["mcpServers", "holdfast"];
      const before = jsonc.read(text);
      const made = jsonc.set(text, way, ENTRY);
      const after = jsonc.read(made);
      assertEquals(valueAt(after, way), ENTRY, made);
      const others = valueAt(before, ["mcpServers"]) ?? {};
      assertEquals(after, { ...(before as object), mcpServers: { ...(others as object), holdfast: ENTRY } }, made);
      const removed = jsonc.remove(made, way);
      assertEquals(jsonc.read(removed), { ...(before as object), mcpServers: others }, removed);
      if (valueAt(before, ["mcpServers"]) !== undefined) assertEquals(tokens(removed), tokens(text), removed);
      if (Object.keys(others).length > 0) assertEquals(removed, text, "to the byte beside other servers");
    }),
    { numRuns: 3000 },
  );
});

test("set replaces a value in its place", () => {
  const text = '{\n\t"mcpServers": {\n\t\t"holdfast": {"command": "old"}, // mine\n\t\t"z": 1\n\t}\n}';
  assertEquals(
    jsonc.set(text, ["mcpServers", "holdfast"], ENTRY),
    '{\n\t"mcpServers": {\n\t\t"holdfast": {\n\t\t\t"command": "/n",\n\t\t\t"args": [\n\t\t\t\t"/m",\n\t\t\t\t"mcp"\n\t\t\t]\n\t\t}, // mine\n\t\t"z": 1\n\t}\n}',
  );
});

test("of two keys of one name the last counts, as for every reader", () => {
  const text = '{"mcpServers": {"holdfast": 1, "holdfast": 2}}';
  assertEquals(jsonc.read(jsonc.set(text, ["mcpServers", "holdfast"], 3)), { mcpServers: { holdfast: 3 } });
});

test("elements go to a list's end and out of it", () => {
  for (
    const [list, wanted] of [["[]", [9]], ["[1]", [1, 9]], ["[\n  1, // one\n  2\n]", [1, 2, 9]], ["[1,]", [
      1,
      9,
    ]]] as const
  ) {
    const text = `{"hooks": {"Start": ${list}}}`;
    const made = jsonc.set(text, ["hooks", "Start", wanted.length - 1], 9);
    assertEquals(valueAt(jsonc.read(made), ["hooks", "Start"]), [...wanted], made);
    const removed = jsonc.remove(made, ["hooks", "Start", wanted.length - 1]);
    if (list !== "[]") assertEquals(removed, text);
  }
});

test("read tells where the fault is", () => {
  const faults: readonly (readonly [text: string, line: number, column: number])[] = [
    ["{", 1, 2],
    ['{"a" 1}', 1, 6],
    ['{\n"a": 1\n"b": 2}', 3, 1],
    ["[1]", 1, 1],
    ['{"a": tru}', 1, 7],
    ["// only a comment", 1, 18],
  ];
  for (const [text, line, column] of faults) {
    const error = assertThrows(() => jsonc.read(text), Unreadable);
    assert(error instanceof Unreadable);
    assertEquals([error.line, error.column], [line, column], `${text}: ${error.message}`);
  }
});

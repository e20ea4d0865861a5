// Lines out of bytes, however they come.
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { Lines } from "../../src/mcp/lines.ts";

const texts = (lines: Iterable<{ ordinal: number; bytes: Buffer | undefined }>) =>
  [...lines].map(({ ordinal, bytes }) => [ordinal, bytes?.toString()] as const);

test("Lines gives the same lines whatever the chunks are", () => {
  const bytes = Buffer.from('{"a":1}\n\n{"ü":2}\n{"b"');
  const whole = texts(new Lines().push(bytes));
  assertEquals(whole, [[0, '{"a":1}'], [1, ""], [2, '{"ü":2}']]);
  const lines = new Lines();
  const single = Array.from(bytes, (_, at) => texts(lines.push(bytes.subarray(at, at + 1)))).flat();
  assertEquals(single, whole);
  assertEquals([lines.ordinal, lines.rest.toString()], [3, '{"b"']);
  assertEquals(texts(lines.end()), [[3, '{"b"']]);
  assertEquals(texts(lines.end()), []);
});

test("Lines keeps no more of a line than the limit, and numbers it all the same", () => {
  const lines = new Lines(5, 8);
  const [long, next] = [...lines.push(Buffer.from("0123456789\nok\n"))];
  assertEquals([long?.ordinal, long?.bytes, long?.size], [5, undefined, 10]);
  assertEquals([next?.ordinal, next?.bytes?.toString()], [6, "ok"]);
  lines.push(Buffer.from("0123456789")).next();
  assertEquals(lines.rest.length, 0);
});

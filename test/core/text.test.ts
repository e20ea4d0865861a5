// What text may be stored and shown.
import { test } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { clean, indentRest, isBlank, lengthOf, quoted } from "../../src/core/text.ts";

const CLEANED: Readonly<Record<string, string>> = {
  "plain é 日本 👋": "plain é 日本 👋",
  "a\u0000b\u0000": "a\ufffdb\ufffd",
  "\ud800": "\ufffd",
  "\udc00x\ud83d": "\ufffdx\ufffd",
  "\udc4b\ud83d": "\ufffd\ufffd",
  "tab\tline\n\u001b": "tab\tline\n\u001b",
};

for (const [text, expected] of Object.entries(CLEANED)) {
  test(`clean gives ${JSON.stringify(expected)} for ${JSON.stringify(text)}`, () => {
    assertEquals(clean(text), expected);
  });
}

const BLANK = [
  "",
  " ",
  "\t\r\n",
  "\u00a0\u3000\u2003",
  "\u200b",
  "\u200d\u2060\ufeff\u00ad",
  "\u0000\u001b",
  "\u202e\u2066",
  "\u3164\u115f",
];
const VISIBLE = ["x", " . ", "\u200bx", "0", "👋", "日", "\ufffd"];

for (const text of BLANK) test(`isBlank: ${JSON.stringify(text)} is`, () => assert(isBlank(text)));
for (const text of VISIBLE) test(`isBlank: ${JSON.stringify(text)} is not`, () => assert(!isBlank(text)));
for (const text of ["\ufe0f", "\u034f", "\u180b", "\u{e0100}"]) {
  test(`isBlank: ${JSON.stringify(text)} is, nothing of it is seen`, () => {
    assert(isBlank(text));
  });
}

test("isBlank answers at once for a long text that is blank but for its end", () => {
  assert(!isBlank(`${" \u200b".repeat(100_000)}x`));
});

test("lengthOf counts code points, half characters as one", () => {
  assertEquals(["", "abc", "é", "👋👋", "a\ud83d", "\udc4b\ud83d", "\ud83d\ud83d\udc4b"].map(lengthOf), [
    0,
    3,
    1,
    2,
    2,
    2,
    2,
  ]);
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => assertEquals(lengthOf(text), [...text].length)));
});

for (const mark of ["\n", "\r", "\r\n", "\v", "\f", "\u0085", "\u2028", "\u2029"]) {
  test(`indentRest indents after ${JSON.stringify(mark)}`, () => {
    assertEquals(indentRest(`one${mark}2. two${mark}${mark}3. three`), "one\n   2. two\n   \n   3. three");
  });
}

test("indentRest leaves a single line alone and takes another indent", () => {
  assertEquals(indentRest("one"), "one");
  assertEquals(indentRest("one\ntwo", "> "), "one\n> two");
});

test("quoted puts a value on one line", () => {
  assertEquals(quoted("a\n\r\n b\u2028c\tx"), '"a b c x"');
  assertEquals(quoted("\u0000\ud800"), '"\ufffd\ufffd"');
});

test("quoted puts a value with U+0085 on one line", () => {
  assertEquals(quoted("a\u0085b"), '"a b"');
});

test("quoted cuts at characters, not inside one", () => {
  assertEquals(quoted("👋".repeat(5), 5), `"${"👋".repeat(5)}"`);
  assertEquals(quoted("👋".repeat(6), 5), `"${"👋".repeat(5)}…"`);
  assertEquals(quoted(`a${"👋".repeat(600)}`, 120), `"a${"👋".repeat(119)}…"`);
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 40 }), fc.integer({ min: 1, max: 12 }), (text, limit) => {
      const shown = quoted(text, limit);
      assert(shown.isWellFormed());
      assert([...shown].length <= limit + 3);
      assertMatch(shown, /^"[^]*"$/);
    }),
  );
});

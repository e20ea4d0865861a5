// Where words and identifiers begin and end.
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { words } from "../../src/language/words.ts";

/** Whole identifiers in brackets. */
const shown = (text: string) => words(text).map(({ text, kind }) => (kind === "whole" ? `[${text}]` : text)).join(" ");

const SHOWN: Readonly<Record<string, string>> = {
  "": "",
  " ... !? ": "",
  "The quick fox.": "The quick fox",
  "parseHTTPResponse": "[parseHTTPResponse] parse HTTP Response",
  "XMLHttpRequest": "[XMLHttpRequest] XML Http Request",
  "iPhone": "[iPhone] i Phone",
  "max_retry_count": "[max_retry_count] max retry count",
  "src/lib/auth.ts": "[src/lib/auth.ts] src lib [auth.ts] auth ts",
  "docs\\ann": "[docs\\ann] docs ann",
  "foo::bar->baz": "[foo::bar->baz] foo bar baz",
  "v1.2.3": "[v1.2.3] [v1] v 1 [2] [3]",
  "C++ and C#": "[C++] C and [C#] C",
  "C#m": "C m",
  ".NET": "[.NET] NET",
  "use --dry-run now": "use [dry-run] dry run now",
  "a well-known port": "a [well-known] well known port",
  "mail ann@example.com.": "mail [ann@example.com] ann [example.com] example com",
  "https://x.org/a": "[https://x.org/a] https [x.org] x org a",
  "localhost:8080": "[localhost:8080] localhost [8080]",
  "9f86d081884c7d65": "[9f86d081884c7d65]",
  "deadbeef12": "[deadbeef12] deadbeef 12",
  "port 7410": "port [7410]",
  "Ann's dog doesn’t bite": "Ann dog doesnt bite",
  "O'Brien": "[OBrien] O Brien",
  "猫": "猫",
  "ภาษาไทย": "ภาษา ไทย",
  "한국어를": "한국어를 한국 국어 어를",
  "나는": "나는",
};

for (const [text, expected] of Object.entries(SHOWN)) {
  test(`words of ${JSON.stringify(text)}`, () => assertEquals(shown(text), expected));
}

test("words finds every two neighbouring Han characters, so that a part of a compound is found", () => {
  const found = words("機械学習").map(({ text }) => text);
  for (const pair of ["機械", "械学", "学習"]) assert(found.includes(pair), pair);
});

test("words splits Latin from Han written together", () => {
  const found = words("用Rust写").map(({ text }) => text);
  assert(found.includes("Rust"), found.join());
});

test("words keeps no identifier whole that is longer than 80, but all its parts", () => {
  const found = words(Array(30).fill("part").join("_"));
  assertEquals(found, Array(30).fill({ text: "part", kind: "word" }));
});

test("words holds only pieces of the text", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => {
    const bare = text.replace(/['’ʼ]/gu, "");
    for (const word of words(text)) {
      assert(word.text !== "");
      assert(text.includes(word.text) || bare.includes(word.text), word.text);
    }
  }));
});

test("words reads a long text without spaces, joints or an end in linear time", () => {
  for (const unit of ["a", "-", "a-", "'", "機", "ก", "가", "aB", "1a"]) {
    const start = performance.now();
    words(unit.repeat(100_000 / unit.length));
    assert(performance.now() - start < 5000, unit);
  }
});

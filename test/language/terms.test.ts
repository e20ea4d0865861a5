// Terms: what the index holds and the query asks for.
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { loadTerms } from "../../src/language/terms.ts";

const terms = await loadTerms();
/** Punctuation inside an identifier shown as itself again. */
const plain = (text: string) =>
  terms(text).map((term) =>
    term.replace(/[\ue000-\ue07f]/g, (mark) => String.fromCharCode(mark.charCodeAt(0) - 0xe000))
  );

/** Question and fact, which share a term. */
const FOUND: readonly (readonly [string, string])[] = [
  ["parseHTTPResponse", "We call parseHTTPResponse twice"],
  ["http response", "parseHTTPResponse fails"],
  ["retry count", "max_retry_count is 5"],
  ["max_retry_count", "MAX_RETRY_COUNT"],
  ["src/lib/auth.ts", "Login lives in src/lib/auth.ts."],
  ["auth.ts", "Login lives in src/lib/auth.ts."],
  ["auth", "src/lib/auth.ts"],
  ["v1.2.3", "Pinned to v1.2.3"],
  ["C++", "Written in C++"],
  [".NET", "Runs on .NET 8"],
  ["--dry-run", "Pass --dry-run first"],
  ["ann@example.com", "Mail ann@example.com."],
  ["9f86d081884c7d65", "commit 9f86d081884c7d65"],
  ["cafe", "das Café"],
  ["CAFÉ", "cafe\u0301"],
  ["abc123", "ＡＢＣ１２３"],
  ["bought", "She buys bread"],
  ["running", "he runs"],
  ["学習", "機械学習を使う"],
  ["東京", "東京タワーに行った"],
  ["น้ำ", "ดื่มน้ำทุกวัน"],
  ["كتاب", "قرأتُ الكِتَابَ"],
  ["ספר", "קראתי את הספר"],
  ["किताब", "यह किताब अच्छी है"],
  ["한국어", "한국어를 공부한다"],
  ["книга", "читаю книги"],
  ["Häuser", "das Haus und die Häuser"],
  ["345", "رقم ٣٤٥"],
];

for (const [question, fact] of FOUND) {
  test(`terms: ${JSON.stringify(question)} meets ${JSON.stringify(fact)}`, () => {
    const held = new Set(terms(fact));
    assert(terms(question).some((term) => held.has(term)), `${plain(question)} and ${plain(fact)}`);
  });
}

test("terms keeps identifiers apart that differ only in punctuation", () => {
  assertEquals(new Set(["C", "C++", "C#", ".C"].map((text) => terms(text)[0])).size, 4);
  assert(!terms("auth/ts").includes(terms("auth.ts")[0] ?? ""));
});

test("terms leaves stop words out, unless there is nothing else", () => {
  assertEquals(plain("What is the port of the server?"), ["port", "server"]);
  assertEquals(plain("who are you"), ["who", "are", "you"]);
});

test("terms are in reading order with repeats", () => {
  assertEquals(plain("zebra apple zebra"), ["zebra", "appl", "zebra"]);
});

test("terms of a text without words is empty", () => {
  assertEquals(["", " ", "?!", "👋", "\u200b", "\u0000"].flatMap(terms), []);
});

const letters = fc.string({ unit: "binary" });
const written = fc.array(
  fc.oneof(
    letters,
    fc.constantFrom(
      "the",
      "das",
      "und",
      "C++",
      "a_b",
      "x.y",
      '"',
      "\\",
      "'",
      "é",
      "機械",
      "คำ",
      "مُ",
      " ",
      "\u00a0",
      "\u2028",
      "🎉",
      "ﬁ",
    ),
  ),
).map((parts) => parts.join(""));

test("terms hold no space, no ASCII punctuation, no quote, no capital and no control character", () => {
  fc.assert(
    fc.property(written, (text) => {
      for (const term of terms(text)) {
        assert(/^[^\s\p{Cc}!-/:-@A-Z[-`{-~]*$/u.test(term), JSON.stringify(term));
        assert([...term].length <= 120);
      }
    }),
    { numRuns: 1000 },
  );
});

test("terms of the same text are the same, whatever was read before", async () => {
  const other = await loadTerms();
  fc.assert(fc.property(written, written, (text, before) => {
    const first = terms(text);
    other(before);
    assertEquals(other(text), first);
    assertEquals(terms(text), first);
  }));
});

test("terms are never empty", () => {
  for (const text of ["a \u0301 b", "\u0640", "\u05b0"]) assert(!terms(text).includes(""), JSON.stringify(text));
});

test("terms hold no half character", () => {
  assert(terms(`a${"\u{10330}".repeat(100)}`).every((term) => term.isWellFormed()));
});

test("terms of NFC and NFD are the same", () => {
  for (const text of ["le café", "une idée", "la señora", "der Schlüssel"]) {
    assertEquals(plain(text.normalize("NFD")), plain(text.normalize("NFC")));
  }
});

test("terms of a small alphabet's letters are kept: x and y are no stop words of English", () => {
  assertEquals(plain("The point has x and y"), ["point", "x", "y"]);
});

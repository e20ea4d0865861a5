// Different spellings of one word.
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { fold, unify } from "../../src/language/fold.ts";

const SAME: readonly (readonly string[])[] = [
  ["cafe", "café", "cafe\u0301", "CAFÉ", "Cafe\u0301"],
  ["strasse", "Straße", "STRASSE", "STRAẞE"],
  ["lodz", "Łódź"],
  ["oeuvre", "Œuvre"],
  ["istanbul", "İstanbul", "ıstanbul"],
  ["σισυφοσ", "Σίσυφος", "ΣΊΣΥΦΟΣ"],
  ["йод", "Йод", "и\u0306од"],
  ["ежик", "ёжик"],
  ["محمد", "مُحَمَّد", "محـمد"],
  ["كتاب", "کتاب"],
  ["שלום", "שָׁלוֹם"],
  ["123", "١٢٣", "१२३", "๑๒๓"],
];

for (const [plain = "", ...others] of SAME) {
  test(`fold brings ${others.join(", ")} to ${plain}`, () => {
    for (const other of [plain, ...others]) assertEquals(fold(other), fold(plain));
    assertEquals(fold(plain), plain);
  });
}

for (const [a, b] of [["и", "й"], ["हिंदी", "हद"], ["か", "が"], ["ก้า", "กา"], ["é", "f"]] as const) {
  test(`fold keeps ${a} and ${b} apart`, () => assert(fold(a) !== fold(b)));
}

test("fold is idempotent", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (word) => assertEquals(fold(fold(word)), fold(word))), {
    numRuns: 2000,
  });
});

const UNIFIED: Readonly<Record<string, string>> = {
  "ＡＢＣ－１２３": "ABC-123",
  "ﬁle": "file",
  "e\u0301": "é",
  "zero\u200bwidth\ufeff\u00ad": "zerowidth",
  "ｶﾞ": "ガ",
  "น้ำ": "น้ำ",
  "Plain ASCII stays.": "Plain ASCII stays.",
};

for (const [text, expected] of Object.entries(UNIFIED)) {
  test(`unify gives ${expected} for ${JSON.stringify(text)}`, () => assertEquals(unify(text), expected));
}

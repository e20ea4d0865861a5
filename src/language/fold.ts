// How different spellings of one word become the same word: width, case, accents, vowel points, digits.

/** Marks that carry no meaning of their own in search: Latin and Greek accents, niqqud, harakat, tatweel. */
const OPTIONAL_MARKS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]/gu;
const ZERO_WIDTH = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]/gu;
/** NFKC takes this Thai and Lao vowel apart, and the word segmenter no longer knows the word. */
const SARA_AM = /\u0e4d\u0e32|\u0ecd\u0eb2/gu;
const CYRILLIC_SHORT_I = /\u0438\u0306/gu;

/** Letters that no Unicode decomposition brings to their plain form. */
const LETTERS: Readonly<Record<string, string>> = {
  "ß": "ss",
  "æ": "ae",
  "œ": "oe",
  "ø": "o",
  "ł": "l",
  "đ": "d",
  "ð": "d",
  "þ": "th",
  "ı": "i",
  "ς": "σ",
  "ى": "ي",
  "ة": "ه",
  "ک": "ك",
  "ی": "ي",
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "gu");

/** First code points of the decimal digits of scripts whose users also type 0–9. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50];
const OTHER_DIGIT = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59]/gu;
const ASCII = /^[\x20-\x7e]*$/;

/** Compatibility forms (full width, ligatures, NFD) in their usual form; case is kept. */
export function unify(text: string): string {
  if (ASCII.test(text)) return text;
  return text.normalize("NFKC").replace(ZERO_WIDTH, "").replace(
    SARA_AM,
    (am) => (am[0] === "\u0e4d" ? "\u0e33" : "\u0eb3"),
  );
}

/** The form in which a word is compared: lower case, optional marks off. Idempotent. */
export function fold(word: string): string {
  const lower = word.toLowerCase();
  if (ASCII.test(lower)) return lower;
  return lower.normalize("NFD")
    .replace(CYRILLIC_SHORT_I, "й")
    .replace(OPTIONAL_MARKS, "")
    .normalize("NFC")
    .replace(LETTER, (letter) => LETTERS[letter] ?? letter)
    .replace(OTHER_DIGIT, digit);
}

function digit(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const zero = ZEROS.find((start) => code >= start && code < start + 10) ?? code;
  return String(code - zero);
}

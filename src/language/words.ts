// Where words and identifiers begin and end, in any script.

/** A word as it stands in the text, or a whole identifier (`src/auth.ts`) followed by its words. */
export interface Word {
  readonly text: string;
  /** `whole`: an identifier kept in one piece, never stemmed. */
  readonly kind: "word" | "whole";
}

const WHOLE_LIMIT = 80;
const SEGMENT_LIMIT = 20_000;

/** Runs of letters and digits with the joints that hold an identifier together, and C++, C#, .NET, --flag. */
const CHUNK =
  /(?<lead>\.(?=[\p{L}])|-{1,2}(?=[\p{L}]))?(?<body>[\p{L}\p{M}\p{N}]+(?:(?:[._\-/\\:@+~=&%]|:\/\/|::|->)[\p{L}\p{M}\p{N}]+)*)(?<tail>\+\+|#(?![\p{L}\p{N}]))?/gu;
const APOSTROPHE = /(?<=\p{L})['’ʼ](?=\p{L})/gu;
const POSSESSIVE = /(?<=\p{L})['’ʼ]s(?![\p{L}\p{N}])/giu;
const PLACE = /[/\\:@=&]+|->/u;
const JOINT = /[._\-+~%]+/u;
const HUMP = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const LETTERS_DIGITS = /^(?:(\p{L}+)(\p{N}+)|(\p{N}+)(\p{L}{2,}))$/u;

const DIGIT = /\p{N}/u;

const HAN = /\p{Script=Han}/u;
const HANGUL = /\p{Script=Hangul}/u;
/** Scripts written without spaces. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
/** Segments that say nothing (Japanese particles) or that the pairs below hold already. */
const COVERED = /^(?:\p{Script=Hiragana}{1,2}|\p{Script=Han}{1,2}|\p{Script=Han}\p{Script=Hiragana})$/u;
const HAS_UNSPACED = new RegExp(UNSPACED.source, "u");

let segmenter: Intl.Segmenter | undefined;

/** Words and identifiers of a text in reading order. `text` is already unified (see `unify`). */
export function words(text: string): Word[] {
  const found: Word[] = [];
  const plain = text.replace(POSSESSIVE, "").replace(APOSTROPHE, "");
  for (const match of plain.matchAll(CHUNK)) {
    const { lead = "", body = "", tail = "" } = match.groups ?? {};
    identifier(body, lead === "." ? lead : "", tail, found);
  }
  return found;
}

function identifier(body: string, lead: string, tail: string, found: Word[]): void {
  const places = body.split(PLACE).filter((part) => part !== "");
  const whole = lead + body + tail;
  if (places.length > 1) {
    if (whole.length <= WHOLE_LIMIT) found.push({ text: whole, kind: "whole" });
    for (const place of places) identifier(place, "", "", found);
    return;
  }
  const parts = body.split(JOINT).filter((part) => part !== "");
  if (lead + tail !== "" || parts.length > 1) {
    if (whole.length <= WHOLE_LIMIT) found.push({ text: whole, kind: "whole" });
  }
  for (const part of parts) word(part, found);
}

function word(part: string, found: Word[]): void {
  if (HAS_UNSPACED.test(part)) return unspaced(part, found);
  if (HANGUL.test(part)) {
    found.push({ text: part, kind: "word" });
    return pairs(part, found);
  }
  const humps = part.split(HUMP);
  if (humps.length > 1 && humps.some((hump) => hump.length > 1)) {
    found.push({ text: part, kind: "whole" });
    for (const hump of humps) word(hump, found);
    return;
  }
  const mixed = LETTERS_DIGITS.exec(part);
  if (mixed) {
    found.push({ text: part, kind: "whole" });
    for (const run of mixed.slice(1)) if (run !== undefined) found.push({ text: run, kind: "word" });
    return;
  }
  found.push({ text: part, kind: DIGIT.test(part) ? "whole" : "word" });
}

function unspaced(part: string, found: Word[]): void {
  let end = 0;
  for (const match of part.matchAll(UNSPACED)) {
    if (match.index > end) word(part.slice(end, match.index), found);
    end = match.index + match[0].length;
    segments(match[0], found);
  }
  if (end < part.length) word(part.slice(end), found);
}

function segments(run: string, found: Word[]): void {
  segmenter ??= new Intl.Segmenter("und", { granularity: "word" });
  for (let at = 0; at < run.length; at += SEGMENT_LIMIT) {
    const piece = run.slice(at, at + SEGMENT_LIMIT);
    for (const { segment } of segmenter.segment(piece)) {
      if (segment === piece || !COVERED.test(segment)) found.push({ text: segment, kind: "word" });
    }
    if (HAN.test(piece)) pairs(piece, found, HAN);
  }
}

/** Every two neighbouring characters, so that a word inside a longer run is found too. */
function pairs(run: string, found: Word[], need?: RegExp): void {
  const characters = [...run];
  if (characters.length < 3 && need === undefined) return;
  for (let at = 0; at + 1 < characters.length; at++) {
    const pair = `${characters[at]}${characters[at + 1]}`;
    if (need === undefined || need.test(pair)) found.push({ text: pair, kind: "word" });
  }
}

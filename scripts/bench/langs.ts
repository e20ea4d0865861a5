// Recall in twelve scripts, on a small set of our own: node scripts/bench/langs.ts [--misses] [--record]
import process from "node:process";
import type { Exam } from "./support/data.ts";
import { sit } from "./support/exam.ts";
import { percent, report } from "./support/report.ts";
import LANGS from "./langs.json" with { type: "json" };

const rows = [];
let [questions, first, fifth] = [0, 0, 0];
for (const { lang, facts, queries } of LANGS.sets) {
  const exam: Exam = {
    format: "standing",
    told: facts.map(({ id, text }) => ({ id, text, agentId: lang, session: lang })),
    updates: [],
    asked: queries.map(({ query, gold }) => ({ agentId: lang, query, gold: new Set(gold), kind: query })),
  };
  const { overall, byKind } = await sit(exam);
  rows.push([lang, overall.questions, percent(overall.recall[1] ?? 0), percent(overall.recall[5] ?? 0)]);
  questions += overall.questions;
  first += overall.questions * (overall.recall[1] ?? 0);
  fifth += overall.questions * (overall.recall[5] ?? 0);
  if (!process.argv.includes("--misses")) continue;
  for (const [query, { recall }] of Object.entries(byKind)) {
    if (recall[1] !== 1) console.error(`${lang}: ${query} (within 5: ${recall[5]})`);
  }
}
rows.push(["all", questions, percent(first / questions), percent(fifth / questions)]);
report("langs", { "Twelve scripts": { columns: ["language", "n", "recall@1", "recall@5"], rows } });

// Recall of the whole search on evaluation files given by path:
// node scripts/bench/retrieval.ts FILE... [--embedder=words|minilm|none] [--record]
import process from "node:process";
import { readExam } from "./support/data.ts";
import { type Marks, sit } from "./support/exam.ts";
import { files, percent, report, type Table } from "./support/report.ts";

const EMBEDDERS = ["words", "minilm", "none"] as const;

const word = process.argv.find((one) => one.startsWith("--embedder="))?.slice("--embedder=".length) ?? "words";
const embedder = EMBEDDERS.find((one) => one === word);
if (!embedder) throw new Error(`No embedder ${word}: ${EMBEDDERS.join(", ")}`);
const suffix = embedder === "words" ? "" : ` with ${embedder}`;
const tables: Record<string, Table> = {};
for (const file of files()) {
  const exam = readExam(file);
  if (exam.format === "locomo") {
    const [given, one] = [await sit(exam, { embedder }), await sit(exam, { embedder, sessions: false })];
    const row = (
      name: string,
      { questions, recall, mrr }: Marks,
    ) => [name, questions, percent(recall[1] ?? 0), percent(recall[5] ?? 0), percent(recall[10] ?? 0), percent(mrr)];
    tables[`LoCoMo, turn level${suffix}`] = {
      columns: ["questions", "n", "recall@1", "recall@5", "recall@10", "MRR"],
      rows: [
        row("categories 1–4, sessions given", given.overall),
        row("categories 1–4, text only", one.overall),
        ...Object.entries(given.byKind).sort().map(([kind, marks]) => row(`category ${kind}`, marks)),
      ],
    };
  } else {
    const { overall, byKind, none, astray, oldShown } = await sit(exam, { embedder });
    const row = (
      name: string,
      { questions, recall, mrr }: Marks,
    ) => [name, questions, percent(recall[1] ?? 0), percent(recall[8] ?? 0), percent(mrr)];
    tables[`Standing facts${suffix}`] = {
      columns: ["kind", "n", "recall@1", "recall@8", "MRR"],
      rows: [row("all but none", overall), ...Object.entries(byKind).map(([kind, marks]) => row(kind, marks))],
    };
    tables[`Standing facts${suffix}: what must not be shown`] = {
      columns: ["measure", "value"],
      rows: [
        ["none: share answered with no fact", percent(none.zero)],
        ["none: mean facts in an answer", none.mean.toFixed(2)],
        ["put to another agent: share answered with no fact", percent(astray.zero)],
        ["put to another agent: mean facts in an answer", astray.mean.toFixed(2)],
        ["update: share that still shows the old text", percent(oldShown)],
      ],
    };
  }
}
report(embedder === "words" ? "retrieval" : `retrieval-${embedder}`, tables);

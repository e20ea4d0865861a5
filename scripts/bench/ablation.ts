// What each ranking signal is worth: node scripts/bench/ablation.ts LOCOMO STANDING [--record]
import { WEIGHTS } from "../../src/memory/rank.ts";
import { readExam } from "./support/data.ts";
import { sit, type Sitting } from "./support/exam.ts";
import { files, percent, report } from "./support/report.ts";

const exams = files().map(readExam);
const variants: Readonly<Record<string, Sitting>> = {
  "all signals": {},
  ...Object.fromEntries(
    Object.keys(WEIGHTS).map((
      signal,
    ) => [`without ${signal}`, { weights: { ...WEIGHTS, [signal]: 0 } as typeof WEIGHTS }]),
  ),
  "words alone (embedder none)": { embedder: "none" },
};
const rows = [];
for (const [name, sitting] of Object.entries(variants)) {
  const cells = [];
  for (const exam of exams) {
    const { overall: { recall, mrr } } = await sit(exam, sitting);
    cells.push(
      percent(recall[exam.format === "locomo" ? 10 : 8] ?? 0),
      percent(exam.format === "locomo" ? mrr : recall[1] ?? 0),
    );
  }
  rows.push([name, ...cells]);
}
const columns = exams.flatMap((
  { format },
) => (format === "locomo" ? ["LoCoMo recall@10", "MRR"] : ["standing recall@8", "recall@1"]));
report("ablation", { "Ablation": { columns: ["variant", ...columns], rows } });

// Prints a benchmark's table, and keeps it where it is asked to.
import { writeFileSync } from "node:fs";
import process from "node:process";

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** Markdown on standard output; with `--record`, the same as JSON beside the benchmarks. */
export function report(name: string, tables: Readonly<Record<string, Table>>): void {
  for (const [title, { columns, rows }] of Object.entries(tables)) {
    console.log(`\n${title}\n`);
    for (const line of [columns, columns.map(() => "---"), ...rows]) console.log(`| ${line.join(" | ")} |`);
  }
  if (!process.argv.includes("--record")) return;
  writeFileSync(new URL(`../results/${name}.json`, import.meta.url), `${JSON.stringify(tables, null, 1)}\n`);
}

/** A share as percent with one decimal. */
export function percent(share: number): string {
  return (100 * share).toFixed(1);
}

/** The value below which the given share of values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Files given on the command line. */
export function files(): readonly string[] {
  const given = process.argv.slice(2).filter((word) => !word.startsWith("--"));
  if (given.length === 0) throw new Error("Give the paths of evaluation files, LoCoMo or standing format");
  return given;
}

// Keeps the generated parts of the documentation true: writes them, or with `--check` compares them.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { COMMANDS } from "../src/cli/commands.ts";
import { CODES } from "../src/core/errors.ts";
import { hostPages } from "./host_pages.ts";
import type { Table } from "./bench/support/report.ts";
import TOOL_LIST from "../src/tools.json" with { type: "json" };

interface Block {
  readonly file: string;
  readonly name: string;
  readonly lines: () => readonly string[];
}

const BLOCKS: readonly Block[] = [
  { file: "README.md", name: "tools", lines: toolTable },
  { file: "README.md", name: "commands", lines: commandTable },
  { file: "docs/api-stability.md", name: "errors", lines: errorTable },
  {
    file: "docs/retrieval.md",
    name: "retrieval",
    lines: () => figures("ablation", "langs", "retrieval", "retrieval-minilm", "scale", "stdio"),
  },
  { file: "docs/install.md", name: "start", lines: () => figures("start", "hook") },
  { file: "docs/daemon.md", name: "soak", lines: () => figures("soak", "http") },
  { file: "docs/team.md", name: "remote", lines: () => figures("remote") },
];

const stale: string[] = [];
for (const { file, name, lines } of BLOCKS) {
  const url = new URL(`../${file}`, import.meta.url);
  const before = readFileSync(url, "utf8");
  const [open, close] = [`<!-- ${name}: generated -->`, `<!-- ${name}: end -->`];
  const [start, end] = [before.indexOf(open), before.indexOf(close)];
  if (start < 0 || end < start) throw new Error(`${file} has no block ${open} … ${close}`);
  const after = `${before.slice(0, start + open.length)}\n\n${lines().join("\n")}\n\n${before.slice(end)}`;
  if (after === before) continue;
  if (process.argv.includes("--check")) stale.push(`${file}: ${name}`);
  else writeFileSync(url, after);
}
const pages = await hostPages();
for (const [file, after] of pages) {
  const url = new URL(`../${file}`, import.meta.url);
  if (existsSync(url) && readFileSync(url, "utf8") === after) continue;
  if (process.argv.includes("--check")) stale.push(file);
  else writeFileSync(url, after);
}
for (const name of readdirSync(new URL("../docs/hosts/", import.meta.url))) {
  if (!pages.has(`docs/hosts/${name}`)) stale.push(`docs/hosts/${name} has no host`);
}
if (stale.length > 0) {
  console.error(`Documentation is behind the code (${stale.join(", ")}): run \`npm run docs\``);
  process.exitCode = 1;
}

function toolTable(): string[] {
  const rows = TOOL_LIST.map(({ name, description, inputSchema }) => {
    const required = new Set<string>(inputSchema.required);
    const args = Object.keys(inputSchema.properties).map((key) => (required.has(key) ? `**${key}**` : key)).join(", ");
    return `| \`${name}\` | ${description.split(". ")[0]} | ${args} |`;
  });
  return ["| tool | what it does | arguments (**required**) |", "| --- | --- | --- |", ...rows];
}

function commandTable(): string[] {
  return [
    "| command | what it does |",
    "| --- | --- |",
    ...COMMANDS.map(({ name, summary }) => `| \`holdfast ${name}\` | ${summary} |`),
  ];
}

/** Recorded runs of these benchmarks, table by table. */
function figures(...names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const file = new URL(`bench/results/${name}.json`, import.meta.url);
    const tables: Record<string, Table> = JSON.parse(readFileSync(file, "utf8"));
    return Object.entries(tables).flatMap(([title, { columns, rows }]) => [
      `### ${title} (\`${name}\`)`,
      "",
      ...[columns, columns.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`),
      "",
    ]);
  }).slice(0, -1);
}

function errorTable(): string[] {
  const rows = Object.entries(CODES).map(([code, { exit, retry }]) =>
    `| \`${code}\` | ${exit} | ${retry ? "yes" : "no"} |`
  );
  return ["| code | exit status | may succeed later |", "| --- | --- | --- |", ...rows];
}

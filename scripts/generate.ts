// Prints src/tools.json, the answer to tools/list, from the types in src/tools.ts; `--check` only compares.
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { printSchema } from "../src/core/wire_types.ts";
import { TOOLS } from "../src/tools.ts";

const FILE = new URL("../src/tools.json", import.meta.url);

/** The bytes that src/tools.json must have. */
export function printTools(): string {
  const tools = TOOLS.map(({ name, title, description, input, output, reads }) => ({
    name,
    title,
    description,
    inputSchema: printSchema(input()),
    outputSchema: printSchema(output()),
    annotations: { title, readOnlyHint: reads, destructiveHint: false, idempotentHint: reads, openWorldHint: false },
  }));
  return `${JSON.stringify(tools, null, 2)}\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const printed = printTools();
  if (process.argv.includes("--check")) {
    if (readFileSync(FILE, "utf8") !== printed) {
      console.error("src/tools.json is not what src/tools.ts prints: run `npm run generate`");
      process.exitCode = 1;
    }
  } else {
    writeFileSync(FILE, printed);
  }
}

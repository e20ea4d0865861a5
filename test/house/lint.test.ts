// Proves each rule of scripts/lint/house.ts: deno lint over a throw-away tree, a bad and a good file per case.

import { assertEquals } from "@std/assert";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, test } from "node:test";

interface Case {
  readonly rule: string;
  readonly what: string;
  /** Path in src/, then the source. */
  readonly bad: readonly [string, string];
  readonly good: readonly [string, string];
}

const CASES: readonly Case[] = [
  {
    rule: "direction",
    what: "a static import of a higher rank",
    bad: ["core/a.ts", 'import { b } from "../store/b.ts";\nb();'],
    good: ["store/a.ts", 'import { b } from "../core/b.ts";\nb();'],
  },
  {
    rule: "direction",
    what: "a type-only import of a sibling",
    bad: ["embed/a.ts", 'import type { B } from "../language/b.ts";\nexport type A = B;'],
    good: ["embed/b.ts", 'import type { B } from "./a.ts";\nexport type A = B;'],
  },
  {
    rule: "direction",
    what: "a dynamic import of a higher rank",
    bad: ["memory/a.ts", 'export const a = () => import("../tools.ts");'],
    good: ["cli/a.ts", 'export const a = () => import("../tools.ts");'],
  },
  {
    rule: "direction",
    what: "an import type of a higher rank",
    bad: ["core/b.ts", 'export type A = import("../memory/b.ts").B;'],
    good: ["mcp/b.ts", 'export type A = import("../memory/b.ts").B;'],
  },
  {
    rule: "direction",
    what: "a re-export of a higher rank",
    bad: ["core/c.ts", 'export { b } from "../memory/b.ts";'],
    good: ["memory/c.ts", 'export { b } from "../core/b.ts";'],
  },
  {
    rule: "direction",
    what: "a file outside src, package.json and tools.json apart",
    bad: ["cli/b.ts", 'import { a } from "../../test/a.ts";\na();'],
    good: [
      "core/d.ts",
      'import tools from "../tools.json" with { type: "json" };\n' +
      'import pack from "../../package.json" with { type: "json" };\n' +
      "export const a = [tools, pack];",
    ],
  },
  {
    rule: "direction",
    what: "a folder the table does not know",
    bad: ["utils/a.ts", 'import { b } from "../core/b.ts";\nb();'],
    good: ["hosts/a.ts", 'import { b } from "../core/b.ts";\nb();'],
  },
  {
    rule: "lazy",
    what: "a static import of memory/open.ts",
    bad: ["mcp/a.ts", 'import { open } from "../memory/open.ts";\nopen();'],
    good: ["mcp/c.ts", 'export const a = () => import("../memory/open.ts");'],
  },
  {
    rule: "lazy",
    what: "an import of tools.ts that verbatimModuleSyntax keeps",
    bad: ["daemon/a.ts", 'import { type Tool } from "../tools.ts";\nexport type A = Tool;'],
    good: ["daemon/b.ts", 'import type { Tool } from "../tools.ts";\nexport type A = Tool;'],
  },
  {
    rule: "packages",
    what: "libsql outside store",
    bad: ["memory/d.ts", 'import Database from "libsql";\nnew Database("");'],
    good: ["store/b.ts", 'import Database from "libsql";\nnew Database("");'],
  },
  {
    rule: "packages",
    what: "@libsql/client outside store, by import()",
    bad: ["daemon/c.ts", 'export const a = () => import("@libsql/client/web");'],
    good: ["store/c.ts", 'export const a = () => import("@libsql/client/web");'],
  },
  {
    rule: "packages",
    what: "a required libsql outside store",
    bad: ["cli/c.ts", 'declare const require: (a: string) => void;\nrequire("libsql");'],
    good: ["store/d.ts", 'declare const require: (a: string) => void;\nrequire("libsql");'],
  },
  {
    rule: "packages",
    what: "node: in a folder that knows no runtime",
    bad: ["language/a.ts", 'import { join } from "node:path";\njoin();'],
    good: ["core/e.ts", 'import { join } from "node:path";\njoin();'],
  },
  {
    rule: "members",
    what: "process.env outside core/config.ts",
    bad: ["cli/d.ts", 'import process from "node:process";\nexport const a = process.env.A;'],
    good: ["core/config.ts", 'import process from "node:process";\nexport const a = process.env;'],
  },
  {
    rule: "members",
    what: "env imported by name",
    bad: ["cli/e.ts", 'import { env } from "node:process";\nexport const a = env.A;'],
    good: ["cli/f.ts", 'import { argv } from "node:process";\nexport const a = argv;'],
  },
  {
    rule: "members",
    what: "console.log outside cli/output.ts and mcp/greeting.ts",
    bad: ["daemon/d.ts", 'console.log("a");'],
    good: ["daemon/e.ts", 'console.error("a");'],
  },
  {
    rule: "members",
    what: "process.stdout outside cli/output.ts and mcp/greeting.ts",
    bad: ["mcp/d.ts", 'import process from "node:process";\nprocess.stdout.write("a");'],
    good: ["mcp/greeting.ts", 'import process from "node:process";\nprocess.stdout.write("a");'],
  },
  {
    rule: "members",
    what: "process.exit outside main.ts",
    bad: ["cli/g.ts", 'import process from "node:process";\nprocess.exit(1);'],
    good: ["main.ts", 'import process from "node:process";\nprocess.exit(1);'],
  },
  {
    rule: "sql",
    what: "a statement in a string outside store",
    bad: ["memory/e.ts", 'export const a = "DELETE FROM facts";'],
    good: ["memory/f.ts", 'export const a = "Select a fact, then delete or update it from here";'],
  },
  {
    rule: "sql",
    what: "a statement over the lines of a template outside store",
    bad: ["dashboard/a.ts", "export const a = (b: string) => `SELECT ${b}\nFROM facts`;"],
    good: ["store/e.ts", "export const a = (b: string) => `SELECT ${b}\nFROM facts`;"],
  },
  {
    rule: "syntax",
    what: "export *",
    bad: ["core/f.ts", 'export * from "./b.ts";'],
    good: ["core/g.ts", 'export { b } from "./b.ts";'],
  },
  {
    rule: "syntax",
    what: "a default export",
    bad: ["core/h.ts", "export default 1;"],
    good: ["core/i.ts", "export const a = 1;"],
  },
  {
    rule: "syntax",
    what: "an enum",
    bad: ["core/j.ts", "export enum A { B }"],
    good: ["core/k.ts", 'export type A = "b";'],
  },
  {
    rule: "syntax",
    what: "a non-null assertion",
    bad: ["core/l.ts", "export const a = (b?: string): string => b!;"],
    good: ["core/m.ts", 'export const a = (b?: string): string => b ?? "";'],
  },
  {
    rule: "syntax",
    what: "Deno",
    bad: ["core/n.ts", "export const a = Deno.version;"],
    good: ["core/o.ts", 'export const a = "Deno.version";'],
  },
  {
    rule: "file-name",
    what: "index.ts",
    bad: ["store/index.ts", "export const a = 1;"],
    good: ["store/indexes.ts", "export const a = 1;"],
  },
];

const root = resolve(import.meta.dirname ?? "", "../..");
const tree = mkdtempSync(join(tmpdir(), "holdfast-lint-"));
after(() => rmSync(tree, { recursive: true }));

for (const file of ["deno.json", "scripts/lint/house.ts"]) {
  cpSync(join(root, file), join(tree, file));
}
for (const [path, source] of CASES.flatMap(({ bad, good }) => [bad, good])) {
  write(`src/${path}`, source);
}
write("test/outside.ts", "export default process.env.A!;\nexport * from './index.ts';");

const found = lint();

for (const { rule, what, bad, good } of CASES) {
  test(`house/${rule} rejects ${what}`, () => {
    assertEquals(found.get(`src/${bad[0]}`), [`house/${rule}`]);
    assertEquals(found.get(`src/${good[0]}`), undefined);
  });
}

test("house rules leave files outside src alone", () => {
  const codes = found.get("test/outside.ts") ?? [];
  assertEquals(codes.filter((code) => code.startsWith("house/")), []);
});

test("house/ has a case here for every rule", () => {
  const fired = [...found.values()].flat().filter((code) => code.startsWith("house/"));
  assertEquals(
    [...new Set(fired)].sort(),
    [...new Set(CASES.map(({ rule }) => `house/${rule}`))].sort(),
  );
});

function write(path: string, source: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), source);
}

/** Codes by path. */
function lint(): Map<string, string[]> {
  const deno = join(root, "node_modules/.bin/deno");
  const { stdout, stderr } = spawnSync(deno, ["lint", "--json"], { cwd: tree, encoding: "utf8" });
  if (stdout === "") throw new Error(`Cannot run deno lint\n${stderr}`);
  const codes = new Map<string, string[]>();
  for (const { filename, code } of JSON.parse(stdout).diagnostics) {
    const path = String(filename).slice(String(filename).lastIndexOf(tree) + tree.length + 1);
    codes.set(path, [...(codes.get(path) ?? []), code]);
  }
  return codes;
}

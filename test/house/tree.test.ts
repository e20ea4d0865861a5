// Holds the tree to house sizes: lines, imports, exports, cycles, mirrors, top level, README commands, paths.

import { assertEquals } from "@std/assert";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix, resolve } from "node:path";
import { test } from "node:test";

/** Exports are values: the types that describe them come along. */
const MAX = { lines: 400, imports: 9, exports: 6 };

const MIRRORED = "core language embed store memory mcp cli daemon hosts".split(" ");

const TOP_LEVEL = new Set(
  ("deno.json package.json package-lock.json tsconfig.json knip.json README.md LICENSE NOTICE " +
    "src test scripts docs dist node_modules coverage").split(" "),
);

const MACHINE_PATH = /(?<![\w.~:-])\/(work|root|Users\/[a-z]\w*|home\/(?!you\b)[a-z]\w*)\//;

interface Module {
  readonly path: string;
  readonly source: string;
  /** Static imports and re-exports, type-only ones too. */
  readonly imports: readonly { readonly specifier: string; readonly typeOnly: boolean }[];
  readonly exports: number;
}

const root = resolve(import.meta.dirname ?? "", "../..");
const files = (under: string) =>
  readdirSync(join(root, under), { recursive: true, encoding: "utf8" })
    .map((path) => posix.join(under, path.replaceAll("\\", "/")));
const modules: readonly Module[] = files("src")
  .filter((path) => path.endsWith(".ts") && !path.startsWith("src/embed/table/"))
  .map(parse);

test("a module in src has at most 400 lines, 9 imports and 6 exported values", () => {
  const tooBig = modules.flatMap(({ path, source, imports, exports }) => {
    const size = { lines: source.trimEnd().split("\n").length, imports: imports.length, exports };
    return (["lines", "imports", "exports"] as const)
      .filter((what) => size[what] > MAX[what])
      .map((what) => `${path}: ${size[what]} ${what}`);
  });
  assertEquals(tooBig, []);
});

test("a module in src, test and scripts opens with a comment that says what it knows", () => {
  const ours = listed().filter((path) => /^(src|test|scripts)\/.*\.ts$/.test(path));
  assertEquals(ours.filter((path) => !/^(#!.*\n)?\/[/*]/.test(read(path))), []);
});

test("modules in src import each other without a cycle", () => {
  const graph = new Map(modules.map((module) => [module.path, targets(module, () => true)]));
  assertEquals(cycle(graph), undefined);
});

test("main.ts does not load libsql before a command asks for it", () => {
  const graph = new Map(modules.map((module) => [module.path, targets(module, isValue)]));
  const loads = modules.filter(({ imports }) =>
    imports.some((imported) => isValue(imported) && /libsql/.test(imported.specifier))
  ).map(({ path }) => path);
  const reached = reach("src/main.ts", graph);
  assertEquals(loads.filter((path) => reached.has(path)), []);
});

test("a mirrored test has the module it is named for", () => {
  const orphans = MIRRORED.filter((folder) => existsSync(join(root, "test", folder)))
    .flatMap((folder) => files(`test/${folder}`))
    .filter((path) => path.endsWith(".test.ts"))
    .filter((path) => !existsSync(join(root, path.replace(/^test\/(.*)\.test\.ts$/, "src/$1.ts"))));
  assertEquals(orphans, []);
});

test("README and docs name only npm scripts that exist", () => {
  const { scripts } = JSON.parse(read("package.json"));
  const named = listed().filter((path) => path.endsWith(".md")).flatMap((path) =>
    [...read(path).matchAll(/npm run ([\w:-]+)/g)].map(([, name = ""]) => ({ path, name }))
  );
  assertEquals(named.filter(({ name }) => !(name in scripts)), []);
});

test("the top level holds only what the house names", () => {
  const stray = readdirSync(root).filter((name) => !name.startsWith(".") && !TOP_LEVEL.has(name));
  assertEquals(stray, []);
});

test("no file names a path of a developer's machine", () => {
  const named = listed()
    .filter((path) => !/(^|\/)fixtures?\//.test(path))
    .flatMap((path) =>
      read(path).split("\n").map((line, at) => ({
        path,
        line: at + 1,
        found: line.match(MACHINE_PATH)?.[0],
      }))
    )
    .filter(({ found }) => found !== undefined);
  assertEquals(named, []);
});

/** Files git tracks or would track. */
function listed(): string[] {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const paths = execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\0");
  return paths.filter((path) => path !== "" && existsSync(join(root, path)));
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** Reads the forms deno fmt leaves: a statement starts its line, specifiers are double-quoted. */
function parse(path: string): Module {
  const source = read(path);
  const statement = /^(?:import|export)(?<type> type)? (?:[^;"'`=]*? from )?"(?<specifier>[^"]+)"/gm;
  const imports = [...source.matchAll(statement)].map(({ groups }) => ({
    specifier: groups?.["specifier"] ?? "",
    typeOnly: groups?.["type"] !== undefined,
  }));
  const lists = [...source.matchAll(/^export \{([^}]*)\}/gm)]
    .flatMap(([, names = ""]) => names.split(",").filter((name) => name.trim() !== ""));
  const declared = source.matchAll(/^export (?:declare |abstract |async )*(?:function\*?|class|const|let) (\w+)/gm);
  const names = new Set([...declared].map(([, name]) => name));
  return { path, source, imports, exports: names.size + lists.length };
}

function isValue({ typeOnly }: Module["imports"][number]): boolean {
  return !typeOnly;
}

function targets({ path, imports }: Module, keep: typeof isValue): string[] {
  return imports.filter(keep)
    .filter(({ specifier }) => specifier.startsWith("."))
    .map(({ specifier }) => posix.join(posix.dirname(path), specifier));
}

function reach(from: string, graph: ReadonlyMap<string, readonly string[]>): Set<string> {
  const seen = new Set([from]);
  for (const path of seen) {
    for (const target of graph.get(path) ?? []) seen.add(target);
  }
  return seen;
}

/** The first module that can reach itself, with the way back. */
function cycle(graph: ReadonlyMap<string, readonly string[]>): string | undefined {
  for (const [path, next] of graph) {
    const back = next.find((target) => reach(target, graph).has(path));
    if (back !== undefined) return `${path} → ${back} → … → ${path}`;
  }
  return undefined;
}

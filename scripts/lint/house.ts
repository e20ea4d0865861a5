// Deno lint plugin: the house rules for src/, as tables. Add a rule by adding a row.

import { posix } from "node:path";
import { fileURLToPath } from "node:url";

/** A unit is a top-level name in src/: it may import itself and any unit of a lower rank. */
const RANKS: Readonly<Record<string, number>> = {
  "tools.json": -1,
  core: 0,
  language: 1,
  embed: 1,
  store: 2,
  memory: 3,
  "tool.ts": 4,
  "tools.ts": 5,
  mcp: 6,
  http: 6,
  daemon: 6,
  hosts: 6,
  dashboard: 6,
  cli: 7,
  "main.ts": 8,
};

/** Modules that load the database, and the units that must wait for import() to reach them. */
const LAZY = {
  modules: ["memory/open.ts", "tool.ts", "tools.ts"],
  for: ["mcp", "http", "daemon", "hosts", "cli", "main.ts"],
};

/** The one file outside src/ that src/ may import. */
const OUTSIDE = "../package.json";

/** `only` and `never` hold units or files of src/. */
interface Where {
  readonly only?: readonly string[];
  readonly never?: readonly string[];
}

const PACKAGES: readonly (Where & { readonly name: RegExp })[] = [
  { name: /^(@libsql\/client|libsql)(\/|$)/, only: ["store"] },
  { name: /^node:/, never: ["memory", "language", "tools.ts", "dashboard"] },
];

/** Members of a global, or of the module of the same name. */
const MEMBERS: readonly (Where & { readonly of: string; readonly name: RegExp })[] = [
  { of: "process", name: /^env$/, only: ["core/config.ts", "core/places.ts"] },
  { of: "process", name: /^exit$/, only: ["main.ts"] },
  { of: "process", name: /^stdout$/, only: ["cli/output.ts", "mcp/greeting.ts"] },
  { of: "console", name: /^(?!error$|warn$|trace$)/, only: ["cli/output.ts", "mcp/greeting.ts"] },
];

const SYNTAX: Readonly<Record<string, string>> = {
  ExportAllDeclaration: "Name what is exported, `export *` hides it",
  ExportDefaultDeclaration: "Use a named export",
  TSEnumDeclaration: "Use a union of string literals, not an enum",
  TSNonNullExpression: "Narrow the value, `!` only silences the compiler",
  'Identifier[name="Deno"]': "Use node: or web APIs, src runs on Node too",
};

const SQL = new RegExp(
  [
    "SELECT\\b.*\\bFROM",
    "(INSERT|REPLACE)( OR \\w+)? INTO",
    "UPDATE\\b.*\\bSET",
    "DELETE FROM",
    "(CREATE|ALTER|DROP) ((UNIQUE|VIRTUAL|TEMP) )?(TABLE|INDEX|TRIGGER|VIEW)",
    "PRAGMA \\w+",
    "BEGIN (IMMEDIATE|DEFERRED|EXCLUSIVE)",
  ].map((statement) => `\\b${statement}\\b`).join("|"),
  "s",
);

const SRC = slashed(fileURLToPath(new URL("../../src/", import.meta.url)));

interface File {
  readonly path: string;
  readonly unit: string;
}

interface Import {
  readonly specifier: string;
  readonly node: Deno.lint.Node;
  readonly eager: boolean;
}

type Check = (file: File, context: Deno.lint.RuleContext) => Deno.lint.LintVisitor;

const plugin: Deno.lint.Plugin = {
  name: "house",
  rules: {
    direction: rule((file, context) =>
      imports(({ specifier, node }) => {
        const target = resolve(file, specifier);
        if (target === undefined || target === OUTSIDE) return;
        const message = wrongDirection(file.unit, unitOf(target));
        if (message !== undefined) context.report({ node, message });
      })
    ),
    lazy: rule((file, context) =>
      imports(({ specifier, node, eager }) => {
        const target = resolve(file, specifier);
        if (target === undefined || !eager || !LAZY.for.includes(file.unit)) return;
        if (!LAZY.modules.includes(target)) return;
        context.report({ node, message: `Reach ${target} by import() or \`import type\`` });
      })
    ),
    packages: rule((file, context) =>
      imports(({ specifier, node }) => {
        const row = PACKAGES.find((row) => row.name.test(specifier) && !allows(row, file));
        if (row) context.report({ node, message: `${specifier} is not for ${file.path}` });
      })
    ),
    members: rule((file, context) => {
      const check = (node: Deno.lint.Node, of: string, name: string) => {
        const row = MEMBERS.find((row) => row.of === of && row.name.test(name));
        if (!row || allows(row, file)) return;
        context.report({ node, message: `${of}.${name} is only for ${row.only?.join(" and ")}` });
      };
      return {
        MemberExpression(node) {
          const of = context.sourceCode.getText(node.object).replace("globalThis.", "");
          check(node, of, nameOf(node.property));
        },
        ImportSpecifier(node) {
          if (node.parent.type !== "ImportDeclaration") return;
          check(node, node.parent.source.value.replace("node:", ""), nameOf(node.imported));
        },
      };
    }),
    sql: rule((file, context) => {
      const check = (node: Deno.lint.Node) => {
        if (file.unit === "store" || !SQL.test(context.sourceCode.getText(node))) return;
        context.report({ node, message: "SQL belongs in store/" });
      };
      return { Literal: check, TemplateLiteral: check };
    }),
    syntax: rule((_file, context) =>
      Object.fromEntries(
        Object.entries(SYNTAX).map(([selector, message]) => [
          selector,
          (node: Deno.lint.Node) => context.report({ node, message }),
        ]),
      )
    ),
    "file-name": rule((file, context) => ({
      Program(node) {
        if (!/(^|\/)index\.\w+$/.test(file.path)) return;
        context.report({ node, message: "Name the file for what it knows, not index" });
      },
    })),
  },
};

/** The plugin; Deno asks for a default export. */
export default plugin;

function rule(check: Check): Deno.lint.Rule {
  return {
    create(context) {
      const name = slashed(context.filename);
      if (!name.startsWith(SRC)) return {};
      const path = name.slice(SRC.length);
      return check({ path, unit: unitOf(path) }, context);
    },
  };
}

/** Every way a file names another one: static, re-export, type, dynamic, require. */
function imports(found: (imported: Import) => void): Deno.lint.LintVisitor {
  const visit = (node: Deno.lint.Node | null | undefined, eager: boolean) => {
    if (node?.type === "Literal") found({ specifier: String(node.value), node, eager });
  };
  return {
    ImportDeclaration: (node) => visit(node.source, node.importKind === "value"),
    ExportAllDeclaration: (node) => visit(node.source, node.exportKind === "value"),
    ExportNamedDeclaration: (node) => visit(node.source, node.exportKind === "value"),
    ImportExpression: (node) => visit(node.source, false),
    "TSImportType > TSLiteralType > Literal": (node: Deno.lint.Literal) => visit(node, false),
    'CallExpression[callee.name="require"]': (node: Deno.lint.CallExpression) => visit(node.arguments[0], true),
  };
}

/** The path of an import, relative to src/, or undefined for a package. */
function resolve(file: File, specifier: string): string | undefined {
  return specifier.startsWith(".") ? posix.join(file.path, "..", specifier) : undefined;
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}

function unitOf(path: string): string {
  return path.split("/", 1)[0] ?? path;
}

function wrongDirection(from: string, to: string): string | undefined {
  if (from === to) return undefined;
  const [low, high] = [RANKS[to], RANKS[from]];
  if (low === undefined) return `${to} has no rank in scripts/lint/house.ts`;
  if (high === undefined) return `${from} has no rank in scripts/lint/house.ts`;
  return low < high ? undefined : `${from} (rank ${high}) may not import ${to} (rank ${low})`;
}

function allows({ only, never }: Where, { path, unit }: File): boolean {
  const here = (place: string) => place === path || place === unit;
  return (only?.some(here) ?? true) && !never?.some(here);
}

function nameOf(node: Deno.lint.Node): string {
  if (node.type === "Identifier" || node.type === "PrivateIdentifier") return node.name;
  return node.type === "Literal" ? String(node.value) : "";
}

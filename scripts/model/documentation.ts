// Sentences about software: the comments of typed packages.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGES = [
  import.meta.resolve("@octokit/openapi-types/package.json"),
  import.meta.resolve("@types/node/package.json"),
  import.meta.resolve("kubernetes-types/package.json"),
];

const LENGTH = { least: 25, most: 200 };
/** Code, addresses, and notes for the package's own maintainers. */
const NO_SENTENCE = /[{}<>=;\\]|https?:|deprecated|auto-generated/i;

/** All different, in the order of packages, files and lines. */
export function documentation(): string[] {
  return [...new Set(PACKAGES.flatMap(declarations).flatMap(sentences))];
}

function declarations(manifest: string): string[] {
  const folder = dirname(fileURLToPath(manifest));
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".d.ts"))
    .map((path) => join(folder, path))
    .sort();
}

function sentences(file: string): string[] {
  return [...readFileSync(file, "utf8").matchAll(/\/\*\*([\s\S]*?)\*\//g)]
    .flatMap(([, comment = ""]) => plain(comment).split(/\n\s*\n|\n(?:-|\d\.)/))
    .flatMap((paragraph) => paragraph.replace(/\s+/g, " ").split(/(?<=[.!?])\s+(?=[A-Z])/))
    .map((sentence) => sentence.trim())
    .filter((sentence) => /^[A-Z]/.test(sentence) && !NO_SENTENCE.test(sentence))
    .filter(({ length }) => length >= LENGTH.least && length <= LENGTH.most);
}

/** A comment without its stars, its code, its tags and its links' addresses. */
function plain(comment: string): string {
  return comment.replace(/^\s*\* ?/gm, "")
    .replace(/```[\s\S]*?```|@example[\s\S]*/g, "")
    .replace(/\{@link\s+([^}|]+?)[^}]*\}/g, "$1")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/^@\w+ ?(\{[^}]*\})?\s*/gm, "\n\n")
    .replace(/[`*_]/g, "");
}

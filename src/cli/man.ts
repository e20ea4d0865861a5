// `holdfast man`: the manual page, written from the table of commands.
import { VERSION } from "../core/version.ts";
import type { Command } from "./command.ts";
import { print } from "./output.ts";

const ENVIRONMENT: readonly (readonly [name: string, summary: string])[] = [
  ["HOLDFAST_STORE", "Path of the store's file, where --store is not given"],
  ["HOLDFAST_DURABILITY", "normal or full, where --durability is not given"],
  ["HOLDFAST_EMBEDDER", "words, minilm, http or none, where --embedder is not given"],
  ["HOLDFAST_BUSY_TIMEOUT_MS", "How long a write waits for another process, in milliseconds"],
  ["HOLDFAST_CACHE", "Where the executable keeps the database engine it unpacks at its first start"],
  ["HOLDFAST_RELEASES", "The release index that holdfast upgrade asks"],
  ["HOLDFAST_MODELS", "Where models that were downloaded by hand are"],
];

export function man(commands: () => readonly Command[]): Command {
  return {
    name: "man",
    summary: "Print the manual page, to be read by man -l -",
    flags: {},
    run() {
      print(page(commands()));
      return Promise.resolve(0);
    },
  };
}

function page(commands: readonly Command[]): string {
  return [
    `.TH HOLDFAST 1 "" "Holdfast ${VERSION}" "User Commands"`,
    ".SH NAME",
    "holdfast \\- persistent memory for AI agents",
    ".SH SYNOPSIS",
    ".B holdfast",
    ".I COMMAND",
    "[flags]",
    ".SH DESCRIPTION",
    "Holdfast gives AI agents a memory that lasts from session to session: five tools over the Model Context Protocol, and the same tools from the shell.",
    ".SH COMMANDS",
    ...commands.flatMap(({ name, positionals, summary, flags }) => [
      ".TP",
      `.B ${escaped(["holdfast", name, positionals].filter(Boolean).join(" "))}`,
      escaped(summary),
      ...Object.entries(flags).flatMap(([flag, { type, value, summary }]) => [
        ".RS",
        ".TP",
        `.B \\-\\-${escaped(flag)}${type === "boolean" ? "" : ` ${escaped(value ?? "VALUE")}`}`,
        escaped(summary),
        ".RE",
      ]),
    ]),
    ".SH ENVIRONMENT",
    ...ENVIRONMENT.flatMap(([name, summary]) => [".TP", `.B ${name}`, escaped(summary)]),
  ].join("\n");
}

/** A line that begins with a dot or an apostrophe would be a request of troff's. */
function escaped(text: string): string {
  return text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replace(/^(?=[.'])/, "\\&");
}

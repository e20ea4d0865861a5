// Changes to other programs' files, as a person and a program read them.
import { createTwoFilesPatch } from "diff";
import { MemoryError } from "../core/errors.ts";
import type { Change } from "../hosts/plan.ts";
import { confirm, isInteractive } from "./ask.ts";
import type { Input } from "./command.ts";
import { print } from "./output.ts";

/** Each file's change as a unified diff, and for a file left alone why, and what to paste. */
export function printChanges(changes: readonly Change[]): void {
  for (const change of changes) print(change.fault ? refusal(change) : patch(change));
}

function patch({ path, before, after }: Change): string {
  const [old, fresh] = [before === undefined ? "/dev/null" : path, after === undefined ? "/dev/null" : path];
  const text = createTwoFilesPatch(old, fresh, plain(before), plain(after), undefined, undefined, { context: 2 });
  return text.replace(/^(Index: .*\n)?=+\n/, "").replace(/^(---|\+\+\+) (.*?)\t?$/gm, "$1 $2");
}

/** Asks once. @throws MemoryError invalid_argument where nobody can be asked and `--yes` was not given. */
export async function agreed(flags: Input["flags"], question: string): Promise<boolean> {
  if (flags["yes"] === true) return true;
  if (flags["json"] !== true && isInteractive()) return await confirm(question);
  throw new MemoryError("invalid_argument", "Cannot ask before writing: this is no terminal", {
    hint: "--yes to write, --dry-run to look",
  });
}

function refusal({ path, hosts, fault }: Change): string {
  return [
    `${path} is left alone: ${fault?.message}`,
    `Paste this into it for ${hosts.join(", ")}:`,
    "",
    ...(fault?.snippets ?? []).map((snippet) => `${snippet.trimEnd()}\n`),
  ].join("\n");
}

function plain(text = ""): string {
  return text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
}

/** One change for `--json`. */
export function wireChange(change: Change): Readonly<Record<string, unknown>> {
  const { path, hosts, before, after, fault } = change;
  if (fault) return { path, hosts, change: "refused", reason: fault.message, snippets: fault.snippets };
  const kind = before === undefined ? "create" : after === undefined ? "remove" : "edit";
  return { path, hosts, change: kind, diff: patch(change) };
}

// What the shell shows: results on standard output, everything else on standard error, no raw control characters.
import process from "node:process";
import { type MemoryError } from "../core/errors.ts";

/** Control and direction characters could recolour, retitle or reorder a terminal. */
const UNSAFE = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** A reader that went away (`… | head -1`) ends the output, not the program's good manners. */
export function forgiveClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      process.exitCode = 0;
    });
  }
}

export function print(text: string): void {
  process.stdout.write(`${visible(text)}\n`);
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** What is not the command's result, on standard error. */
export function printNote(text: string): void {
  process.stderr.write(`${visible(text)}\n`);
}

/** How far work has come, on standard error: one line that is written over on a terminal, at the end of each part elsewhere. */
export function showProgress(part: string, done: number, total: number): void {
  const { stderr } = process;
  const line = `${part} ${done}/${total}`;
  if (stderr.isTTY) stderr.write(`\r${visible(line)}\x1b[K${done >= total ? "\n" : ""}`);
  else if (done >= total) stderr.write(`${visible(line)}\n`);
}

/** One sentence and what to try. */
export function printError({ message, hint }: Pick<MemoryError, "message" | "hint">): void {
  process.stderr.write(`holdfast: ${visible(message)}\n${hint === undefined ? "" : `Try: ${visible(hint)}\n`}`);
}

function visible(text: string): string {
  return text.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

// The way from words to a command, and from whatever it throws to an exit status.
import { CODES, MemoryError, toMemoryError } from "../core/errors.ts";
import { log } from "../core/log.ts";
import { VERSION } from "../core/version.ts";
import { columns, helpOf, readInput } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { forgiveClosedPipes, print, printError } from "./output.ts";

/** Runs the command that the words name. The exit status: 0, or that of the error's code. */
export async function run(words: readonly string[]): Promise<number> {
  forgiveClosedPipes();
  const [first] = words;
  const command = COMMANDS.find(({ name }) => name.split(" ").every((word, at) => words[at] === word));
  try {
    if (first === "--version" || first === "-V" || first === "version") return print(VERSION), 0;
    if (first === undefined || first === "--help" || first === "-h" || first === "help") {
      return print(help()), first === undefined ? 2 : 0;
    }
    if (!command) throw unknown(words);
    const input = readInput(command, words.slice(command.name.split(" ").length));
    if (input.flags["help"] === true) return print(helpOf(command)), 0;
    return await command.run(input);
  } catch (thrown) {
    if (command?.harmless) return 0;
    const error = toMemoryError(thrown);
    printError({
      message: error.message,
      hint: error.hint ?? `holdfast ${command?.name ?? ""} --help`.replace("  ", " "),
    });
    if (error.code === "internal") {
      log("internal", error.cause instanceof Error ? error.cause.stack : String(error.cause));
    }
    return CODES[error.code].exit;
  }
}

function help(): string {
  return [
    "Holdfast gives AI agents a memory that lasts from session to session.",
    "",
    "Usage: holdfast COMMAND [flags]",
    "",
    ...columns(COMMANDS.map(({ name, summary }) => [name, summary])),
    "",
    "holdfast COMMAND --help shows a command's flags; holdfast --version the version.",
  ].join("\n");
}

function unknown(words: readonly string[]): MemoryError {
  const inner = COMMANDS.filter(({ name }) => name.startsWith(`${words[0]} `)).map(({ name }) => name);
  if (inner.length > 0) {
    return new MemoryError("invalid_argument", `Unknown command "${words.slice(0, 2).join(" ")}"`, {
      hint: inner.map((name) => `holdfast ${name}`).join(", or "),
    });
  }
  return new MemoryError("invalid_argument", `Unknown command "${words[0]}"`, { hint: "holdfast --help" });
}

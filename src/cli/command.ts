// What a command is, and how its flags are read and shown.
import { parseArgs } from "node:util";
import type { Flags as Settings } from "../core/config.ts";
import { MemoryError } from "../core/errors.ts";

export interface Flag {
  readonly type: "string" | "boolean";
  readonly summary: string;
  /** What stands for the value in help. */
  readonly value?: string;
}

export type Flags = Readonly<Record<string, Flag>>;

export interface Input {
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
  readonly positionals: readonly string[];
}

export interface Command {
  /** The words that select it, such as `checkpoint save`. */
  readonly name: string;
  readonly summary: string;
  /** Positional arguments as help shows them. */
  readonly positionals?: string;
  readonly flags: Flags;
  /** Run by a host that takes a failure for a refusal: its exit status is always 0 and it never writes to standard error. */
  readonly harmless?: true;
  /** The exit status. */
  run(input: Input): Promise<number>;
}

export const STORE_FLAGS: Flags = {
  store: {
    type: "string",
    value: "PATH|URL",
    summary:
      "The store's file or server; default: HOLDFAST_STORE, the nearest .holdfast/, TURSO_DATABASE_URL, or the user's data directory",
  },
  durability: {
    type: "string",
    value: "normal|full",
    summary: "full also survives a power cut, at the cost of slower writes",
  },
  embedder: {
    type: "string",
    value: "words|minilm|http|none",
    summary: "What finds facts by meaning; default: HOLDFAST_EMBEDDER, or words, the built-in table",
  },
  secrets: {
    type: "string",
    value: "redact|reject|allow",
    summary: "What becomes of a credential in a text to store; default: HOLDFAST_SECRETS, or redact",
  },
};
/** What STORE_FLAGS set. */
export function settingsIn(flags: Input["flags"]): Settings {
  const text = (flag: string) => flags[flag]?.toString();
  return {
    store: text("store"),
    durability: text("durability"),
    embedder: text("embedder"),
    secrets: text("secrets"),
  };
}

/** Every command has it. */
export const HELP: Flags = { help: { type: "boolean", summary: "Show this" } };

/** @throws MemoryError invalid_argument on a flag the command does not have. */
export function readInput(command: Command, args: readonly string[]): Input {
  const options = Object.fromEntries(
    Object.entries({ ...command.flags, ...HELP }).map(([name, { type }]) => [name, { type }]),
  );
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
      allowNegative: true,
    });
    if (positionals.length > 0 && command.positionals === undefined && values["help"] !== true) {
      throw new Error(`Unexpected argument '${positionals[0]}'`);
    }
    return { flags: values as Input["flags"], positionals };
  } catch (thrown) {
    const [sentence = ""] = String(thrown instanceof Error ? thrown.message : thrown).split(/[.\n]/);
    throw new MemoryError("invalid_argument", sentence, { hint: `holdfast ${command.name} --help` });
  }
}

export function helpOf({ name, summary, positionals, flags }: Command): string {
  const rows = Object.entries({ ...flags, ...HELP }).map(([flag, { type, value, summary }]) =>
    [`--${flag}${type === "boolean" ? "" : ` ${value ?? "VALUE"}`}`, summary] as const
  );
  return [
    `${summary}`,
    "",
    `Usage: holdfast ${[name, positionals, "[flags]"].filter(Boolean).join(" ")}`,
    "",
    ...columns(rows),
  ].join("\n");
}

/** Two columns, the second aligned. */
export function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

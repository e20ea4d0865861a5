// What a tool is, and how a call becomes an answer: arguments read, checked, run, and the answer checked.
import "./core/jitless.ts"; // first: it configures ArkType
import { type Type, type } from "arktype";
import { type InputSchema, readArguments } from "./core/arguments.ts";
import { MemoryError, toMemoryError } from "./core/errors.ts";
import { log } from "./core/log.ts";
import { clean, quoted } from "./core/text.ts";
import type { Memory } from "./memory/memory.ts";
import { withOperation } from "./memory/operation.ts";

/** The same facts twice: for programs and for people. */
export interface Answer {
  readonly structured: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** What a tool may know of its caller: the conversation that facts are told in unless the call names one. */
export interface Caller {
  readonly sessionId: string;
  /** Id of the write that the call may make: the same when the call comes again. */
  readonly operation?: string | undefined;
}

interface Definition<Input extends Type<object>> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Made at the first call: ArkType takes some milliseconds for each. */
  readonly input: () => Input;
  readonly output: () => Type<object>;
  /** What a fault kept the tool from doing, as the sentence begins: `Cannot search memory`. */
  readonly failure: string;
  /** Whether it leaves everything as it was. */
  readonly reads?: boolean;
  /** Arguments taken exactly as sent, `null` included. */
  readonly exact?: readonly string[];
  run(memory: Memory, args: Input["infer"], caller: Caller): Promise<Answer>;
}

export interface Tool extends Required<Omit<Definition<Type<object>>, "run">> {
  /** @param args checked against `input` */
  readonly run: (memory: Memory, args: object, caller: Caller) => Promise<Answer>;
}

export function defineTool<const Input extends Type<object>>(definition: Definition<Input>): Tool {
  const run = (memory: Memory, args: object, caller: Caller) => definition.run(memory, args as Input["infer"], caller); // checked by callTool
  return {
    reads: false,
    exact: [],
    ...definition,
    input: once(definition.input),
    output: once(definition.output),
    run,
  };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => made ??= make();
}

/** Faults whose sentence sends the reader to standard error. */
const DETAILED: readonly string[] = ["internal", "store_failed"];

/** A finished call: an answer, or a fault told in text alone. */
export type Outcome = ({ readonly answer: Answer } | { readonly fault: MemoryError; readonly text: string }) & {
  /** Names of arguments that the tool does not have. */
  readonly ignored: readonly string[];
};

export interface Call {
  readonly tool: Tool;
  /** The tool's input schema as printed. */
  readonly schema: InputSchema;
  readonly args: unknown;
  readonly caller: Caller;
  readonly memory: () => Promise<Memory>;
}

/** Never rejects: whatever goes wrong is a fault with a sentence for the caller. */
export async function callTool({ tool, schema, args, caller, memory }: Call): Promise<Outcome> {
  let ignored: readonly string[] = [];
  try {
    const read = readArguments(plainObject(tool, args ?? {}), schema, tool.exact);
    ignored = read.ignored;
    const checked = tool.input()(read.values);
    if (checked instanceof type.errors) throw refused(tool, checked);
    const opened = await memory();
    const used = caller.operation === undefined ? opened : withOperation(opened, caller.operation);
    const answer = await tool.run(used, checked, caller);
    const wrong = tool.output()(answer.structured);
    if (wrong instanceof type.errors) {
      throw new Error(`${tool.name} gave an answer outside its schema: ${wrong.summary}`);
    }
    return { answer: { ...answer, text: withIgnored(answer.text, ignored) }, ignored };
  } catch (thrown) {
    const fault = toMemoryError(thrown);
    if (DETAILED.includes(fault.code)) log(`${tool.name}: ${fault.code}`, describe(fault));
    return { fault, text: withIgnored(faultText(tool, fault, args), ignored), ignored };
  }
}

function plainObject(tool: Tool, args: unknown): Record<string, unknown> {
  if (typeof args === "object" && args !== null && !Array.isArray(args)) return args as Record<string, unknown>;
  throw new MemoryError("invalid_argument", `${tool.failure}: arguments must be an object (was ${kind(args)})`);
}

/** Names the argument, what was sent and what is allowed. */
function refused(tool: Tool, errors: type.errors): MemoryError {
  const [first] = errors;
  const sentence = clean(first?.message ?? errors.summary).replace(/\s+/gu, " ");
  return new MemoryError("invalid_argument", `${tool.failure}: ${[...sentence.slice(0, 600)].slice(0, 300).join("")}`);
}

/** One sentence, and the hint on a line of its own. Faults of the store are told as what they kept the tool from. */
function faultText(tool: Tool, { code, message, hint }: MemoryError, args: unknown): string {
  const away = /^(store|daemon)_/.test(code) || code === "internal" || code === "record_undecodable";
  const sentence = away ? `${tool.failure} for agent ${agentOf(args)}: ${lowerFirst(message)}` : message;
  return hint === undefined ? sentence : `${sentence}\n${hint}`;
}

function agentOf(args: unknown): string {
  const { agent_id: id, agent } = (args ?? {}) as Record<string, unknown>; // read for the sentence only
  return quoted(String(id ?? agent ?? ""), 256);
}

function withIgnored(text: string, ignored: readonly string[]): string {
  if (ignored.length === 0) return text;
  const names = ignored.slice(0, 10).map((name) => clean(name).replace(/[\p{Cc}\s]+/gu, " ").slice(0, 60)).join(", ");
  return `${text}\nIgnored unknown argument${ignored.length > 1 ? "s" : ""}: ${names}`;
}

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

function kind(value: unknown): string {
  return Array.isArray(value) ? "an array" : `a ${typeof value}`;
}

/** The stack of our own mistakes, one line of the driver's. */
function describe({ code, cause }: MemoryError): string {
  if (!(cause instanceof Error)) return String(cause);
  return code === "internal" ? cause.stack ?? cause.message : cause.message;
}

// `holdfast hook`: what hosts run at a session's events. Whatever happens it ends well, soon, and says nothing but its answer.
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { toMemoryError } from "../core/errors.ts";
import { isWhole } from "../hosts/hook_input.ts";
import { type HookCall, hookState, runHook } from "../hosts/run_hook.ts";
import type { Input } from "./command.ts";
import { printJson } from "./output.ts";
import { openShared } from "./shared.ts";
import { readStdin } from "./stdin.ts";

/** From the process's start to its end, in milliseconds; and how much of that the input may take to come. */
const CAP = 750;
const INPUT_PATIENCE = 300;
/** How much a daemon that does not answer may take of it, to be connected to and to answer. */
const DAEMON_PATIENCE = 100;
const open: HookCall["open"] = (config, short) => openShared(config, short, DAEMON_PATIENCE);

/** Always 0: some hosts take anything else for a refusal of what the person asked. */
export async function hook({ flags, positionals }: Input): Promise<number> {
  const [event = ""] = positionals;
  const host = flags["host"]?.toString() ?? "";
  try {
    const work = readStdin(isWhole, INPUT_PATIENCE)
      .then((text) => runHook({ event, host, store: flags["store"]?.toString(), text, open }))
      .then((answer) => ({ answer }));
    const late = sleep(Math.max(0, CAP - performance.now())).then(() => undefined);
    const done = await Promise.race([work, late]);
    if (done === undefined) throw new Error(`Not done within ${CAP} ms`);
    if (done.answer !== undefined) printJson(done.answer);
  } catch (thrown) {
    note(`${event} for ${host}: ${sentence(thrown)}`);
  }
  return 0;
}

function sentence(thrown: unknown): string {
  const { code, message, cause } = toMemoryError(thrown);
  return code === "internal" ? String(cause instanceof Error ? cause.message : cause) : message;
}

function note(line: string): void {
  try {
    hookState().fail(line);
  } catch {
    // There is no place to write to, and nobody to tell.
  }
}

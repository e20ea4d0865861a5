// One hook, from what the host told it to what the host is told: whose memory, which store, and a record of the run.
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { agentIn } from "../core/agent.ts";
import { type Config, readConfig, silenceDriver } from "../core/config.ts";
import { dataDirectory, surroundings } from "../core/places.ts";
import { type HookMemory, HOOKS } from "./hook.ts";
import { isWhole, readHookInput } from "./hook_input.ts";
import { type HookState, openHookState } from "./hook_state.ts";
import { type HookEvent, HOSTS } from "./hosts.ts";

export interface HookCall {
  readonly event: string;
  readonly host: string;
  readonly store: string | undefined;
  /** What the host wrote on standard input, or what of it has come. */
  readonly text: string;
  /** The store, by its settings and those for a short visit. */
  readonly open: (config: Config, short: Config) => Promise<HookMemory>;
}

/** How long a hook waits for another process's write. Milliseconds. */
const BUSY = 300;

/** What the host takes from the event; undefined for nothing. Rejects with what went wrong. */
export async function runHook({ event, host, store, text, open }: HookCall): Promise<object | undefined> {
  const name = eventOf(event);
  if (name === undefined) throw new Error(`No hook "${event.slice(0, 50)}"`);
  if (text.trim() !== "" && !isWhole(text)) throw new Error(`The input is no JSON object (${text.length} characters)`);
  const input = readHookInput(text);
  const around = surroundings();
  const here = { ...around, cwd: input.cwd ?? around.cwd };
  const { agentId } = agentIn(here);
  const config = readConfig({ store }, here);
  const state = hookState();
  silenceDriver();
  const told = await HOOKS[name]({
    agentId,
    host,
    input,
    state,
    memory: () => open(config, hookConfig(config)),
  });
  const answer = told === undefined ? undefined : answerOf(host, name, told);
  const characters = answer === undefined ? 0 : told?.length ?? 0;
  state.record({ at: Date.now(), host, event: name, agentId, characters, ms: Math.round(performance.now()) });
  return answer;
}

/** What hooks keep, in the user's data folder. */
export function hookState(): HookState {
  return openHookState(join(dataDirectory(surroundings()), "hooks"));
}

function eventOf(word: string): HookEvent | undefined {
  return (Object.keys(HOOKS) as HookEvent[]).find((event) => event === word); // the table's own keys
}

/** The built-in table is quick; a model or an endpoint is left to the server, which makes the vectors later. */
function hookConfig(config: Config): Config {
  const quick = (config.embedder?.name ?? "words") === "words";
  return {
    ...config,
    busyTimeout: Math.min(config.busyTimeout, BUSY),
    ...(quick ? {} : { embedder: { name: "none" } }),
  };
}

/** As the host wants it; undefined where it takes nothing from this event. */
function answerOf(host: string, event: HookEvent, text: string): object | undefined {
  const row = HOSTS.find(({ id }) => id === host)?.hooks;
  const name = row?.events[event];
  if (row === undefined || name === undefined) return undefined;
  if (row.shape === "flat") return { additional_context: text };
  return { hookSpecificOutput: { hookEventName: name, additionalContext: text } };
}

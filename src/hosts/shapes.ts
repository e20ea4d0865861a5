// How each host writes a server that it starts, and a command that it runs at an event.
import { isObject } from "../core/json.ts";
import type { HookEvent, Hooks, Host } from "./hosts.ts";

/** The name that our entry has everywhere. */
export const SERVER = "holdfast";

/** How to start Holdfast: an absolute program, its first arguments, and what a program without a shell's variables lacks. */
export interface Start {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The store's path, where it is not found by itself. */
  readonly store?: string;
}

type Written = Readonly<Record<string, unknown>>;

const env = ({ env }: Start, key = "env"): Written => Object.keys(env).length > 0 ? { [key]: env } : {};
const storeFlag = ({ store }: Start) => store === undefined ? [] : ["--store", store];
const serve = (start: Start) => [...start.args, "mcp", ...storeFlag(start)];
const plain = (start: Start): Written => ({ command: start.command, args: serve(start), ...env(start) });

const SERVERS: Readonly<Record<Host["shape"], (start: Start) => Written>> = {
  plain,
  typed: (start) => ({ type: "stdio", ...plain(start) }),
  copilot: (start) => ({ type: "stdio", ...plain(start), tools: ["*"] }),
  toggled: (start) => ({ ...plain(start), disabled: false }),
  zed: (start) => ({ source: "custom", ...plain(start), ...(Object.keys(start.env).length > 0 ? {} : { env: {} }) }),
  opencode: (start) => ({ type: "local", command: [start.command, ...serve(start)], ...env(start, "environment") }),
  goose: (start) => ({
    name: SERVER,
    description: "Memory across sessions",
    type: "stdio",
    cmd: start.command,
    args: serve(start),
    envs: start.env,
    enabled: true,
    timeout: 300,
  }),
  list: (start) => ({ name: SERVER, ...plain(start) }),
};

export function serverEntry(shape: Host["shape"], start: Start): Written {
  return SERVERS[shape](start);
}

/** The command of an entry in any shape; undefined where it has none. */
export function commandOf(entry: unknown): Omit<Start, "store"> | undefined {
  if (!isObject(entry)) return undefined;
  const { command = entry["cmd"], args = [], env = entry["environment"] ?? entry["envs"] ?? {} } = entry;
  const [program, ...first] = Array.isArray(command) ? command : [command];
  if (typeof program !== "string" || !Array.isArray(args) || !isObject(env)) return undefined;
  const variables = Object.entries(env).map(([name, value]) => [name, String(value)]);
  return { command: program, args: [...first, ...args].map(String), env: Object.fromEntries(variables) };
}

/** How long a host waits for a hook, in seconds: ours stops itself long before. */
const PATIENCE = 5;

const COMMANDS: Readonly<Record<Hooks["shape"], (command: string) => Written>> = {
  groups: (command) => ({ hooks: [{ type: "command", command, timeout: PATIENCE }] }),
  milliseconds: (command) => ({ hooks: [{ name: SERVER, type: "command", command, timeout: PATIENCE * 1000 }] }),
  flat: (command) => ({ command }),
};

export function hookEntry(shape: Hooks["shape"], command: string): Written {
  return COMMANDS[shape](command);
}

/** The words of a hook's command line, quoted for the shells that hosts use. */
export function hookCommand(start: Start, event: HookEvent, host: string): string {
  const all = [start.command, ...start.args, "hook", event, "--host", host, ...storeFlag(start)];
  const words = all.map((word) => /^[a-z]:\\/i.test(word) ? word.replaceAll("\\", "/") : word);
  const quoted = (word: string) => `"${word.replace(/(["$`\\])/g, "\\$1")}"`;
  return words.map((word) => /^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word)).join(" ");
}

/** Whether an element of an event's list is ours, whatever version wrote it. */
export function isOurHook(element: unknown, host: string): boolean {
  const text = JSON.stringify(element) ?? "";
  return /\bhook (session-start|prompt|pre-compact|session-end) --host /.test(text) && text.includes(`--host ${host}`);
}

// What each host needs in each of its files, as edits of text that can be made, checked and taken back.
import { isDeepStrictEqual } from "node:util";
import { existsSync, readFileSync } from "node:fs";
import { type Format, valueAt, type Way } from "./format.ts";
import type { HookEvent, Host, Scope } from "./hosts.ts";
import { block, withBlock, withoutBlock } from "./instructions.ts";
import { jsonc } from "./jsonc.ts";
import { chosenPath, type Ground } from "./places.ts";
import { hookCommand, hookEntry, isOurHook, SERVER, serverEntry, type Start } from "./shapes.ts";

export interface Edit {
  readonly path: string;
  readonly host: Host;
  readonly what: "server" | "hooks" | "instructions";
  /** @throws Unreadable */
  make(text: string): Promise<string>;
  /** `before` is the text as it was before `make`, where it is known: what it had is kept. @throws Unreadable */
  unmake(text: string, before?: string): Promise<string>;
  /** Whether the text has it, and as `make` would write it. */
  state(text: string): Promise<"missing" | "other" | "present">;
  /** What a person pastes who makes it by hand. */
  readonly snippet: () => Promise<string>;
  /** A server's entry as it stands in the text, whoever wrote it; undefined where there is none. */
  readonly entry?: (text: string) => Promise<unknown>;
}

export interface Wanted {
  readonly scope: Scope;
  readonly start: Start;
  /** Named in the instructions of a project. */
  readonly agentId: string;
  readonly hooks: boolean;
  readonly instructions: boolean;
}

/** YAML and TOML are loaded where a host needs them. */
const FORMATS: Readonly<Record<Host["format"], () => Promise<Format>>> = {
  jsonc: () => Promise.resolve(jsonc),
  toml: async () => (await import("./toml.ts")).toml,
  yaml: async () => (await import("./yaml.ts")).yaml,
};

export function editsOf(host: Host, wanted: Wanted, ground: Ground): Edit[] {
  const { scope, start } = wanted;
  const at = (places: Host["config"] | undefined) => places?.[scope] && chosenPath(places[scope], ground);
  const [config, hooks, instructions] = [at(host.config), at(host.hooks?.files), at(host.instructions)];
  return [
    ...(config === undefined ? [] : [server(host, config, start)]),
    ...(hooks === undefined || !wanted.hooks ? [] : [hooking(host, hooks, start)]),
    ...(instructions === undefined || !wanted.instructions
      ? []
      : [instructing(host, instructions, scope === "project" ? wanted.agentId : undefined)]),
  ];
}

/** The way to our entry in a document. */
function serverWay({ keys, shape }: Host, document: unknown): Way {
  const way = keys.find((one) => valueAt(document, one) !== undefined) ?? keys.at(-1) ?? [];
  if (shape !== "list") return [...way, SERVER];
  const list = valueAt(document, way);
  const held = Array.isArray(list) ? list : [];
  const at = held.findIndex((one) => valueAt(one, ["name"]) === SERVER);
  return [...way, at < 0 ? held.length : at];
}

function server(host: Host, path: string, start: Start): Edit {
  const format = FORMATS[host.format];
  const entry = serverEntry(host.shape, start);
  return {
    path,
    host,
    what: "server",
    async make(text) {
      const one = await format();
      return changed(one, text, serverWay(host, one.read(text)), entry);
    },
    async unmake(text, before) {
      const one = await format();
      return removed(one, text, serverWay(host, one.read(text)), before);
    },
    async state(text) {
      const document = (await format()).read(text);
      const value = valueAt(document, serverWay(host, document));
      return value === undefined ? "missing" : isDeepStrictEqual(value, entry) ? "present" : "other";
    },
    snippet: async () => (await format()).snippet(serverWay(host, {}), entry),
    async entry(text) {
      const document = (await format()).read(text);
      return valueAt(document, serverWay(host, document));
    },
  };
}

function hooking(host: Host, path: string, start: Start): Edit {
  const events = Object.entries(host.hooks?.events ?? {}).map(([event, name]) => ({
    name,
    entry: hookEntry(host.hooks?.shape ?? "groups", hookCommand(start, event as HookEvent, host.id)), // keys of the row
  }));
  const flat = host.hooks?.shape === "flat";
  return {
    path,
    host,
    what: "hooks",
    make(text) {
      const versioned = flat && valueAt(jsonc.read(text), ["version"]) === undefined
        ? jsonc.set(text, ["version"], 1)
        : text;
      return Promise.resolve(
        events.reduce((left, { name, entry }) => changed(jsonc, left, hookWay(left, name, host.id), entry), versioned),
      );
    },
    unmake(text, before) {
      const without = events.reduce(
        (left, { name }) => removed(jsonc, left, hookWay(left, name, host.id), before),
        text,
      );
      const alone = flat && isDeepStrictEqual(jsonc.read(without), { version: 1 });
      return Promise.resolve(alone && before === undefined ? "{}" : without);
    },
    state(text) {
      const document = jsonc.read(text);
      const states = events.map(({ name, entry }) => {
        const value = valueAt(document, hookWay(text, name, host.id));
        return value === undefined ? "missing" : isDeepStrictEqual(value, entry) ? "present" : "other";
      });
      const [first = "missing"] = states;
      return Promise.resolve(states.every((one) => one === first) ? first : "other");
    },
    snippet: () =>
      Promise.resolve(
        JSON.stringify({ hooks: Object.fromEntries(events.map(({ name, entry }) => [name, [entry]])) }, null, 2),
      ),
  };
}

function hookWay(text: string, event: string, host: string): Way {
  const list = valueAt(jsonc.read(text), ["hooks", event]);
  const held = Array.isArray(list) ? list : [];
  const at = held.findIndex((one) => isOurHook(one, host));
  return ["hooks", event, at < 0 ? held.length : at];
}

function instructing(host: Host, path: string, agentId: string | undefined): Edit {
  const wanted = block(agentId);
  return {
    path,
    host,
    what: "instructions",
    make: (text) => Promise.resolve(withBlock(text, wanted)),
    unmake: (text) => Promise.resolve(withoutBlock(text)),
    state: (text) =>
      Promise.resolve(withBlock(text, wanted) === text ? "present" : withoutBlock(text) === text ? "missing" : "other"),
    snippet: () => Promise.resolve(wanted),
  };
}

/** @throws Error where the text could not be changed to hold just that: such a file is left to its owner. */
function changed(format: Format, text: string, way: Way, value: unknown): string {
  if (isDeepStrictEqual(valueAt(format.read(text), way), value)) return text;
  const after = format.set(text, way, value);
  if (isSound(format, { text, after, way, value })) return after;
  throw new Error("The file is written in a way that cannot be changed in place");
}

/** Whether the text reads back with the value at that way, and differs from the one before in nothing else. */
function isSound(
  format: Format,
  { text, after, way, value }: { text: string; after: string; way: Way; value: unknown },
): boolean {
  try {
    const document = format.read(after);
    const rest = (one: unknown) => JSON.stringify(withoutValue(one, way));
    return isDeepStrictEqual(valueAt(document, way), value) && rest(document) === rest(format.read(text));
  } catch {
    return false;
  }
}

/** The entry gone, and with it each container that it leaves empty and that was not there before. */
function removed(format: Format, text: string, way: Way, before: string | undefined): string {
  let left = valueAt(format.read(text), way) === undefined ? text : format.remove(text, way);
  if (left === text) return text;
  const original = before === undefined ? undefined : format.read(before);
  for (let up = way.slice(0, -1); up.length > 0; up = up.slice(0, -1)) {
    const value = valueAt(format.read(left), up);
    const empty = value === null || (typeof value === "object" && Object.keys(value).length === 0);
    if (!empty || valueAt(original, up) !== undefined) break;
    left = format.remove(left, up);
  }
  return left;
}

function withoutValue(value: unknown, [key, ...rest]: Way): unknown {
  if (typeof value !== "object" || value === null) return key === undefined ? value : undefined;
  if (key === undefined) return undefined;
  const pairs = Object.entries(value).map(([name, inner]) =>
    name === String(key) ? [name, withoutValue(inner, rest)] as const : [name, inner] as const
  );
  const kept = pairs.filter(([, inner]) => inner !== undefined && inner !== null && !isEmpty(inner));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** A file's text, or undefined where there is none. @throws Error where it is no UTF-8. */
export function readText(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
}

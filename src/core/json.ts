// JSON that loses nothing: integers beyond 2^53 pass through with every digit.

const LONG_NUMBER = /\d{16}|[eE]\+?\d{3}/;
const INTEGER = /^-?\d+$/;

/** Parts of `JSON` that TypeScript's library does not have yet. */
const RAW = JSON as unknown as { rawJSON(text: string): unknown; isRawJSON(value: unknown): boolean };

/** Parses JSON; an integer that a double cannot hold becomes a value that `JSON.stringify` prints digit by digit. */
export function parseJson(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text);
  const reviver = (_key: string, value: unknown, { source }: { source?: string } = {}) =>
    typeof value === "number" && source !== undefined && isBeyond(value, source) ? RAW.rawJSON(source) : value;
  return JSON.parse(text, reviver);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !RAW.isRawJSON(value);
}

const UNSTORABLE = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g;

function isBeyond(value: number, source: string): boolean {
  return !Number.isFinite(value) || (!Number.isSafeInteger(value) && INTEGER.test(source));
}

/** Levels of arrays and objects that are kept: every reader can still read them back. */
const DEPTH = 500;

function depthOf(value: unknown, limit: number): number {
  if (typeof value !== "object" || value === null || RAW.isRawJSON(value)) return 0;
  if (limit === 0) return 1;
  let deepest = 0;
  for (const inner of Object.values(value)) deepest = Math.max(deepest, depthOf(inner, limit - 1));
  return deepest + 1;
}

/** An object as JSON with U+0000 and lone surrogates as U+FFFD; undefined when it is nested too deeply to print. */
export function printJson(value: unknown): { readonly json: string; readonly replaced: boolean } | undefined {
  if (depthOf(value, DEPTH) > DEPTH) return undefined;
  try {
    const printed = JSON.stringify(value);
    const json = printed.replace(UNSTORABLE, "$1\ufffd");
    return { json, replaced: json !== printed };
  } catch {
    return undefined;
  }
}

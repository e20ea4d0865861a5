// JSON that loses nothing: integers beyond 2^53 pass through with every digit.

const LONG_NUMBER = /\d{16}/;
const INTEGER = /^-?\d+$/;

interface RawJson {
  rawJSON(text: string): unknown;
}

/** Parses JSON; an integer that a double cannot hold becomes a value that `JSON.stringify` prints digit by digit. */
export function parseJson(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text);
  const reviver = (_key: string, value: unknown, { source }: { source?: string } = {}) =>
    typeof value === "number" && !Number.isSafeInteger(value) && source !== undefined && INTEGER.test(source)
      ? (JSON as unknown as RawJson).rawJSON(source) // not in TypeScript's library yet
      : value;
  return JSON.parse(text, reviver);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const UNSTORABLE = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g;

/** An object as JSON with U+0000 and lone surrogates as U+FFFD; undefined when it is nested too deeply to print. */
export function printJson(value: unknown): { readonly json: string; readonly replaced: boolean } | undefined {
  try {
    const printed = JSON.stringify(value);
    const json = printed.replace(UNSTORABLE, "$1\ufffd");
    return { json, replaced: json !== printed };
  } catch {
    return undefined;
  }
}

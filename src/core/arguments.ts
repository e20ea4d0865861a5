// Arguments as language models send them, read kindly: by the printed input schema, before any check.
import { isObject, parseJson } from "./json.ts";

/** The part of a printed input schema that reading needs. */
export interface InputSchema {
  readonly properties: Readonly<Record<string, { readonly type?: string | undefined }>>;
}

export interface ReadArguments {
  readonly values: Readonly<Record<string, unknown>>;
  /** Names that the tool does not have. */
  readonly ignored: readonly string[];
}

/**
 * Drops unknown names and `null`s, and turns strings into the number, boolean, array or object that the
 * schema asks for where they clearly are one. Names in `exact` are taken as sent. What does not fit stays
 * as it is, for the check that follows to refuse.
 */
export function readArguments(
  raw: Readonly<Record<string, unknown>>,
  schema: InputSchema,
  exact: readonly string[] = [],
): ReadArguments {
  const values: Record<string, unknown> = {};
  const ignored: string[] = [];
  for (const [name, value] of Object.entries(raw)) {
    if (!Object.hasOwn(schema.properties, name)) ignored.push(name);
    else if (exact.includes(name)) values[name] = value;
    else if (value !== null) values[name] = coerce(value, schema.properties[name]?.type);
  }
  return { values, ignored };
}

function coerce(value: unknown, type: string | undefined): unknown {
  if (typeof value !== "string") return value;
  const text = value.trim();
  if (type === "integer" || type === "number") return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : value;
  if (type === "boolean") return text === "true" ? true : text === "false" ? false : value;
  if (type === "array" || type === "object") return structure(text, type) ?? value;
  return value;
}

function structure(text: string, type: "array" | "object"): unknown {
  try {
    const parsed = parseJson(text);
    return (type === "array" ? Array.isArray(parsed) : isObject(parsed)) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

// The words of the wire as ArkType types, and how a type is printed as portable JSON Schema.
import "./jitless.ts";
import { type Type, type } from "arktype";
import { isObject } from "./json.ts";
import { isBlank, lengthOf } from "./text.ts";
import { parseTime } from "./time.ts";

export type Schema = Readonly<Record<string, unknown>>;

/** JSON Schema keywords of checks that are functions of ours. */
const PRINTED = new Map<unknown, Schema>();
const CONTROL = /\p{Cc}/u;

type Check = (value: string, context: { reject(why: { expected: string; actual: string }): false }) => boolean;

function checked(check: Check, keywords: Schema): Type<string> {
  PRINTED.set(check, keywords);
  return type("string").narrow(check);
}

/** Text of at most `max` characters (code points); not blank, unless told so. */
export function text(max: number, { blank = false } = {}): Type<string> {
  return checked((value, context) => {
    const length = lengthOf(value);
    if (length > max) return context.reject({ expected: `at most ${max} characters`, actual: `${length} characters` });
    if (blank || !isBlank(value)) return true;
    return context.reject({ expected: "not blank", actual: value === "" ? "empty" : "blank" });
  }, { ...(blank ? {} : { minLength: 1 }), maxLength: max });
}

/** A name whose exact bytes count: 1–256 characters, something visible in it, no control characters. */
export const name: Type<string> = checked((value, context) => {
  const length = lengthOf(value);
  if (length < 1 || length > 256) {
    return context.reject({ expected: "1 to 256 characters", actual: `${length} characters` });
  }
  if (CONTROL.test(value)) return context.reject({ expected: "free of control characters", actual: "a name with one" });
  if (!value.isWellFormed()) return context.reject({ expected: "valid Unicode", actual: "text with half a character" });
  return /\S/u.test(value) || context.reject({ expected: "more than white space", actual: "white space" });
}, { minLength: 1, maxLength: 256 });

/** A point in time as sent: RFC 3339, or a plain date (midnight UTC). */
export const instant: Type<string> = checked(
  (value, context) =>
    parseTime(value) !== undefined ||
    context.reject({
      expected: "a time such as 2026-12-01T02:03:04Z or a date such as 2026-12-01",
      actual: JSON.stringify(value.slice(0, 40)),
    }),
  {},
);

/** A point in time as answered. */
export const time = type(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/).configure({ format: "date-time" }, "self");

const plainObject = (value: object, context: { reject(why: { expected: string; actual: string }): false }) =>
  isObject(value) || context.reject({ expected: "an object", actual: "an array" });
PRINTED.set(plainObject, { additionalProperties: true });

/** Any JSON object, kept as sent. */
export const jsonObject = type("object").narrow(plainObject);

/** Closed and portable: no `$schema`, no references, every keyword beside its `type`. Throws where a type cannot be. */
export function printSchema(wire: { toJsonSchema(options: object): unknown }): Schema {
  const fallback = {
    predicate: ({ base, predicate }: { base: Schema; predicate: unknown }) => ({ ...base, ...PRINTED.get(predicate) }),
  };
  const hardened = harden(wire.toJsonSchema({ dialect: null, fallback }));
  if (!isObject(hardened)) throw new Error("A schema's root must be an object");
  return Array.isArray(hardened["anyOf"])
    ? { type: "object", properties: hoisted(hardened["anyOf"]), anyOf: hardened["anyOf"] }
    : hardened;
}

const BANNED = ["$schema", "$ref", "$defs", "prefixItems", "nullable"];

function harden(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(harden);
  if (!isObject(node)) return node;
  const banned = BANNED.find((keyword) => Object.hasOwn(node, keyword));
  if (banned) throw new Error(`A schema must not hold ${banned}`);
  if (node["type"] === "array" && !node["items"]) throw new Error("A schema's array must have items");
  const sample = Array.isArray(node["enum"]) ? node["enum"][0] : node["const"];
  const typed = sample === undefined || node["type"] ? node : { type: typeof sample, ...node };
  return Object.fromEntries(
    Object.entries(typed).map(([key, value]) =>
      key === "additionalProperties" && isObject(value) && Object.keys(value).length === 0
        ? [key, true]
        : [key, harden(value)]
    ),
  );
}

/** Every branch's properties, so that a reader who only looks at the root sees them; equal names must not differ but in their constants. */
function hoisted(branches: readonly unknown[]): Schema {
  const properties: Record<string, unknown> = {};
  for (const branch of branches) {
    if (!isObject(branch) || !isObject(branch["properties"])) continue;
    for (const [key, value] of Object.entries(branch["properties"])) {
      properties[key] = Object.hasOwn(properties, key) ? merged(properties[key], value) : value;
    }
  }
  return properties;
}

function merged(a: unknown, b: unknown): unknown {
  if (JSON.stringify(a) === JSON.stringify(b)) return a;
  if (!isObject(a) || !isObject(b) || a["type"] !== b["type"]) {
    throw new Error("A union's branches must agree on the type of a property");
  }
  const values = [a, b].flatMap((one) => (Array.isArray(one["enum"]) ? one["enum"] : [one["const"]]));
  return { type: a["type"], enum: [...new Set(values)].sort() };
}

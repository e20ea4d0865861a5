// No credential goes into the store or comes out of it: the gate that texts pass on their way.
import type { Config } from "../core/config.ts";
import { MemoryError } from "../core/errors.ts";
import { redact, redactValue } from "../core/secrets.ts";
import type { Replaced } from "./memory.ts";

export type Policy = Config["secrets"];

/** A text to store. @throws MemoryError invalid_argument where credentials are refused; `action` begins its sentence. */
export function textIn(text: string, action: string, policy: Policy): Replaced & { readonly text: string } {
  if (policy === "allow") return { text };
  const { text: kept, found } = redact(text);
  return { text: kept, ...checked(found, action, policy) };
}

/** A JSON value to store. @throws MemoryError invalid_argument where credentials are refused. */
export function valueIn<T>(value: T, action: string, policy: Policy): Replaced & { readonly value: T } {
  if (policy === "allow") return { value };
  const { value: kept, found } = redactValue(value);
  return { value: kept, ...checked(found, action, policy) };
}

/** A text that names a fact or leaves the store: as it was, or would have been, stored. */
export function textOut(text: string, policy: Policy): string {
  return policy === "allow" ? text : redact(text).text;
}

export function valueOut<T>(value: T, policy: Policy): T {
  return policy === "allow" ? value : redactValue(value).value;
}

function checked(found: readonly string[], action: string, policy: Policy): Replaced {
  if (found.length === 0) return {};
  if (policy !== "reject") return { replaced: found };
  const what = `it holds what looks like a credential (${found.join(", ")})`;
  throw new MemoryError("invalid_argument", `Cannot ${action}: ${what}`, {
    hint: "Store where the credential is kept, not what it is",
  });
}

// The five tools as plain POST requests: arguments in, the structured content out, an error with its code.
import { type Code, MemoryError } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import { parseJson } from "../core/json.ts";
import type { Memory } from "../memory/memory.ts";
import TOOL_LIST from "../tools.json" with { type: "json" };

/** What each fault of ours is in HTTP. */
export const STATUS: Readonly<Record<Code, number>> = {
  invalid_argument: 400,
  no_match: 404,
  no_checkpoint: 404,
  conflict: 409,
  store_missing: 500,
  store_denied: 500,
  store_read_only: 500,
  store_not_database: 500,
  store_foreign: 500,
  store_corrupt: 500,
  store_newer: 500,
  store_lost: 503,
  store_full: 507,
  store_away: 503,
  store_unsure: 503,
  store_busy: 503,
  store_failed: 500,
  record_undecodable: 500,
  daemon_away: 503,
  daemon_late: 504,
  daemon_old: 500,
  daemon_failed: 500,
  internal: 500,
};

/** Names the arguments that a tool does not have, percent-encoded: a filter must not vanish unseen. */
const IGNORED = "holdfast-ignored-arguments";

export const TOOL_NAMES: readonly string[] = TOOL_LIST.map(({ name }) => name);

/** One call of a tool; `body` is its arguments as JSON. */
export async function callOverRest(name: string, body: string, memory: () => Promise<Memory>): Promise<Response> {
  const args = parsed(body);
  if (args === undefined) return fault(new MemoryError("invalid_argument", "The body is not JSON"));
  const [{ TOOLS }, { callTool }] = await Promise.all([import("../tools.ts"), import("../tool.ts")]);
  const tool = TOOLS.find((one) => one.name === name);
  const schema = TOOL_LIST.find((one) => one.name === name)?.inputSchema;
  if (!tool || !schema) throw new Error(`No tool ${name}`);
  const outcome = await callTool({ tool, schema, args, caller: { sessionId: newId() }, memory });
  const response = "answer" in outcome
    ? json(outcome.answer.structured, 200)
    : fault({ code: outcome.fault.code, message: outcome.text.split("\n")[0] ?? "", hint: outcome.fault.hint });
  if (outcome.ignored.length > 0) {
    response.headers.set(IGNORED, outcome.ignored.map(encodeURIComponent).join(", ").slice(0, 500));
  }
  return response;
}

/** @param status where it is not the code's own */
export function fault(
  { code, message, hint }: Pick<MemoryError, "code" | "message" | "hint">,
  status: number = STATUS[code],
): Response {
  return json({ error: { code, message, ...(hint === undefined ? {} : { hint }) } }, status);
}

/** Numbers that a double cannot hold keep every digit. */
export function json(value: unknown, status: number): Response {
  return new Response(JSON.stringify(value), { status, headers: { "content-type": "application/json" } });
}

function parsed(body: string): unknown {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}

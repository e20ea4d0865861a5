// What hosts tell a hook on standard input, in each of their spellings.
import { isObject } from "../core/json.ts";

export interface HookInput {
  /** One conversation; empty where the host does not say. */
  readonly sessionId: string;
  /** The project's folder. */
  readonly cwd: string | undefined;
  readonly prompt: string;
  /** Why a session starts or ends: startup, resume, clear, compact, logout … */
  readonly reason: string;
  readonly transcript: string | undefined;
}

/** Anything that is no such input counts as an empty one. */
export function readHookInput(text: string): HookInput {
  const given = parse(text);
  const string = (...names: readonly string[]) => {
    const found = names.map((name) => given[name]).find((value) => typeof value === "string" && value !== "");
    return typeof found === "string" ? found : undefined;
  };
  const roots = given["workspace_roots"];
  const root: unknown = Array.isArray(roots) ? roots[0] : undefined;
  return {
    sessionId: string("session_id", "conversation_id", "sessionId") ?? "",
    cwd: string("cwd") ?? (typeof root === "string" ? root : undefined),
    prompt: string("prompt", "user_prompt") ?? "",
    reason: string("source", "trigger", "reason") ?? "",
    transcript: string("transcript_path"),
  };
}

/** Whether a text is a whole JSON object: some hosts never close the input. */
export function isWhole(text: string): boolean {
  return /\}\s*$/.test(text) && Object.keys(parse(text)).length > 0;
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

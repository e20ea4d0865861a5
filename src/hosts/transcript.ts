// The last turns of a conversation, from the file a host keeps of it: one JSON object a line.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { Buffer } from "node:buffer";
import { isObject } from "../core/json.ts";
import type { Message } from "../core/model.ts";

/** Read from the end, so that a long conversation costs no more than a short one. Bytes. */
const TAIL = 512 * 1024;
const TURNS = 8;
const TURN_LENGTH = 2000;

/** Oldest first, long ones cut; none where the file is away or of another kind. */
export function lastTurns(path: string | undefined): readonly Message[] {
  if (path === undefined) return [];
  const turns = tail(path).split("\n").flatMap(turnOf);
  return turns.slice(-TURNS);
}

function tail(path: string): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, "r");
    const { size } = fstatSync(descriptor);
    const bytes = Buffer.alloc(Math.min(size, TAIL));
    return bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, bytes.length, size - bytes.length));
  } catch {
    return "";
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** What a person or the model said; tools' calls and results are left out. */
function turnOf(line: string): Message[] {
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    return [];
  }
  if (!isObject(entry) || entry["isMeta"] === true || entry["isSidechain"] === true) return [];
  const message = isObject(entry["message"]) ? entry["message"] : isObject(entry["payload"]) ? entry["payload"] : entry;
  const role = message["role"];
  if (role !== "user" && role !== "assistant") return [];
  const content = textOf(message["content"]).trim();
  // Host's own notes to the model are written as tags.
  if (content === "" || /^<[\w-]+>/.test(content)) return [];
  const cut = content.length > TURN_LENGTH ? `${content.slice(0, TURN_LENGTH)}…` : content;
  return [{ role, content: cut.toWellFormed() }];
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const parts = content.filter(isObject).filter(({ type }) =>
    type === "text" || type === "input_text" || type === "output_text"
  );
  return parts.map(({ text }) => typeof text === "string" ? text : "").join("\n");
}

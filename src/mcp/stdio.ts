// MCP over standard input and output, or any two streams: served until the last answer is out.
import process from "node:process";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { log } from "../core/log.ts";
import type { Greeted } from "./greeting.ts";
import { onOrphaned } from "./parent.ts";
import { buildServer, type ServerParts } from "./server.ts";
import { LineTransport } from "./transport.ts";

const DRAIN_ON_SIGNAL = 800;

/**
 * Serves until input ends, a signal comes or the parent is gone; every request read before that is answered.
 * @param greeted what was read and answered before
 */
export async function serve(parts: ServerParts, greeted: Greeted): Promise<void> {
  const { ended, drain } = converse(parts, greeted);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => drain(DRAIN_ON_SIGNAL));
  process.on("unhandledRejection", (reason) => log("unhandled rejection", String(reason)));
  const unwatch = onOrphaned(() => drain(DRAIN_ON_SIGNAL));
  await ended;
  unwatch();
}

export interface Conversation {
  /** Resolves when the last answer is out. */
  readonly ended: Promise<void>;
  /** Reads no more and ends within so many milliseconds. */
  drain(limit: number): void;
}

/** One client's MCP session over its two streams. */
export function converse(parts: ServerParts, greeted: Greeted): Conversation {
  const transport = new LineTransport(greeted, parts.sessionId);
  serveStdio(() => buildServer(parts), { transport, onerror: (error) => log("MCP", error.message) });
  return { ended: transport.ended, drain: (limit) => transport.drain(limit) };
}

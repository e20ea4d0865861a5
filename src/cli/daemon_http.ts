// The daemon's HTTP door put together: its token, MCP and the REST twin on the one memory.
import { httpToken } from "../core/config.ts";
import { MemoryError } from "../core/errors.ts";
import type { DoorParts } from "../http/door.ts";
import type { Listening } from "../http/listen.ts";
import type { ServerParts } from "../mcp/server.ts";
import type { Input } from "./command.ts";
import { printNote } from "./output.ts";

export interface HttpFlags {
  readonly bind: string;
  readonly allowRemote: boolean;
  /** Where the token is kept if the user gives none. */
  readonly directory: string;
}

/** @throws MemoryError invalid_argument where the door would be open to other machines with a token nobody chose. */
export function httpIn(flags: Input["flags"], directory: string): HttpFlags | undefined {
  const allowRemote = flags["http-remote"] === true;
  if (allowRemote && httpToken() === undefined) {
    throw new MemoryError(
      "invalid_argument",
      "Cannot open the HTTP door to other machines: there is no token of yours",
      {
        hint: "Set HOLDFAST_HTTP_TOKEN to at least 16 characters that nobody can guess",
      },
    );
  }
  return typeof flags["http"] === "string" ? { bind: flags["http"], allowRemote, directory } : undefined;
}

export async function openHttp(
  { bind, allowRemote, directory }: HttpFlags,
  parts: Omit<ServerParts, "sessionId"> & Pick<DoorParts, "gauges">,
): Promise<Listening> {
  const [{ BODY_LIMIT }, { listenHttp }, { bearerToken }, { mcpOverHttp }] = await Promise.all([
    import("../http/door.ts"),
    import("../http/listen.ts"),
    import("../http/token.ts"),
    import("../mcp/http.ts"),
  ]);
  const { token, file } = bearerToken(directory, httpToken());
  const listening = await listenHttp({ bind, allowRemote, token, mcp: mcpOverHttp(parts, BODY_LIMIT), ...parts });
  printNote(`HTTP at ${listening.address}, its token in ${file ?? "HOLDFAST_HTTP_TOKEN"}`);
  return listening;
}

// MCP over HTTP: each request is a session of its own and its answer is JSON; both eras of the protocol.
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { newId } from "../core/ids.ts";
import { log } from "../core/log.ts";
import { buildServer, type ServerParts } from "./server.ts";

/** Takes POST alone: there is no stream to open and no session to end. @param limit bytes of a request's body */
export function mcpOverHttp(
  parts: Omit<ServerParts, "sessionId">,
  limit: number,
  build: typeof buildServer = buildServer,
): (request: Request) => Promise<Response> {
  const server = () => build({ ...parts, sessionId: newId() });
  const modern = createMcpHandler(server, {
    legacy: "reject",
    maxRequestBodySize: limit,
    onerror: (error) => log("MCP over HTTP", error.message),
  });
  return async (request) => {
    if (!await isLegacyRequest(request, undefined, { maxRequestBodySize: limit })) return await modern.fetch(request);
    const transport = new WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: true,
      maxRequestBodySize: limit,
    });
    await server().connect(transport);
    return await transport.handleRequest(request);
  };
}

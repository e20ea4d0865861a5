// The five tools as an MCP server, for one client, over any transport.
import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import type { Memory } from "../memory/memory.ts";
import type { Reader } from "../memory/reader.ts";
import { CAPABILITIES, INSTRUCTIONS, SERVER_INFO } from "./greeting.ts";
import { offerPrompts } from "./prompts.ts";
import { offerResources } from "./resources.ts";
import TOOL_LIST from "../tools.json" with { type: "json" };

/** Key of a call's `_meta`: the id of the write that it asks for, so that the call can be sent again. */
export const OPERATION = "holdfast/operation";
const ID = /^[0-9a-z]{12}$/;

export interface ServerParts {
  /** The conversation that facts are told in unless a call names one. */
  readonly sessionId: string;
  /** Called by the first tool call, not before. */
  readonly memory: () => Promise<Memory>;
  /** Resources are offered where it is given; called when one is asked for. */
  readonly reader: () => Promise<Reader>;
}

/** Knows the printed schemas from the start; loads ArkType and the memory only when a tool is called. */
export function buildServer({ sessionId, memory, reader }: ServerParts): Server {
  const server = new Server(SERVER_INFO, { capabilities: CAPABILITIES, instructions: INSTRUCTIONS });
  offerPrompts(server);
  offerResources(server, reader);
  server.setRequestHandler("tools/list", () => ({ tools: TOOL_LIST as never })); // checked against the types by test/pins
  server.setRequestHandler("tools/call", async ({ params }) => {
    const listed = TOOL_LIST.find((tool) => tool.name === params.name);
    const [{ TOOLS }, { callTool }] = await Promise.all([import("../tools.ts"), import("../tool.ts")]);
    const tool = TOOLS.find((one) => one.name === params.name);
    if (!listed || !tool) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name.slice(0, 100)}`);
    }
    const operation = params._meta?.[OPERATION];
    const outcome = await callTool({
      tool,
      schema: listed.inputSchema,
      args: params.arguments,
      caller: { sessionId, operation: typeof operation === "string" && ID.test(operation) ? operation : undefined },
      memory,
    });
    if ("fault" in outcome) return { content: [{ type: "text", text: outcome.text }], isError: true };
    const { text, structured } = outcome.answer;
    return { content: [{ type: "text", text }], structuredContent: structured };
  });
  return server;
}

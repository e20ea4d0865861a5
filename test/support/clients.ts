// The MCP clients that the contract is held against: the oldest and newest 1.x SDK, and 2.x.
import { Client as NewClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as NewTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldestClient } from "mcp-sdk-oldest/client/index.js";
import { StdioClientTransport as OldestTransport } from "mcp-sdk-oldest/client/stdio.js";
import { Client as NewestClient } from "mcp-sdk-newest/client/index.js";
import { StdioClientTransport as NewestTransport } from "mcp-sdk-newest/client/stdio.js";
import { COMMAND, FIRST } from "./program.ts";

export interface Reply {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

export interface Listed {
  readonly name: string;
  readonly inputSchema: object;
  readonly outputSchema: object;
}

/** What the tests need of a client, whatever its SDK. */
export interface Peer {
  list(): Promise<readonly Listed[]>;
  call(name: string, args?: Record<string, unknown>): Promise<Reply>;
  close(): Promise<void>;
}

const INFO = { name: "holdfast-test", version: "1.0.0" };

/** Name of each client and how it connects to a server on a store. */
export const CLIENTS: Readonly<Record<string, (store: string) => Promise<Peer>>> = {
  "SDK 1.12.3": async (store) => {
    const client = new OldestClient(INFO);
    await client.connect(new OldestTransport(server(store)));
    return peer(client);
  },
  "SDK 1.32.2": async (store) => {
    const client = new NewestClient(INFO);
    await client.connect(new NewestTransport(server(store)));
    return peer(client);
  },
  "SDK 2, initialize": async (store) => {
    const client = new NewClient(INFO);
    await client.connect(new NewTransport(server(store)));
    return peer(client);
  },
  "SDK 2, 2026-07-28": async (store) => {
    const client = new NewClient(INFO, { versionNegotiation: { mode: "auto" } });
    await client.connect(new NewTransport(server(store)));
    return peer(client);
  },
};

export function server(store: string): { command: string; args: string[]; stderr: "ignore" } {
  return { command: COMMAND, args: [...FIRST, "mcp", "--store", store], stderr: "ignore" };
}

interface SdkClient {
  listTools(): Promise<{ tools: unknown[] }>;
  callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

function peer(client: SdkClient): Peer {
  return {
    list: async () => (await client.listTools()).tools as Listed[],
    call: async (name, args = {}) => await client.callTool({ name, arguments: args }) as Reply,
    close: () => client.close(),
  };
}

// The MCP clients that the contract is held against: the oldest and newest 1.x SDK, and 2.x.
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from "@modelcontextprotocol/client";
import { StdioClientTransport as NewStdio } from "@modelcontextprotocol/client/stdio";
import { Client as OldestClient } from "mcp-sdk-oldest/client/index.js";
import { StdioClientTransport as OldestStdio } from "mcp-sdk-oldest/client/stdio.js";
import { StreamableHTTPClientTransport as OldestHttp } from "mcp-sdk-oldest/client/streamableHttp.js";
import { Client as NewestClient } from "mcp-sdk-newest/client/index.js";
import { StdioClientTransport as NewestStdio } from "mcp-sdk-newest/client/stdio.js";
import { StreamableHTTPClientTransport as NewestHttp } from "mcp-sdk-newest/client/streamableHttp.js";
import { COMMAND, FIRST } from "./program.ts";
import { surroundings } from "./stdio.ts";

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

/** How a client reaches a server: a program that it starts, or an address. */
export type Target =
  | {
    readonly command: string;
    readonly args: string[];
    readonly env?: Record<string, string>;
    readonly stderr: "ignore";
  }
  | { readonly url: URL; readonly headers: Readonly<Record<string, string>> };

const INIT = ({ headers }: { readonly headers: Readonly<Record<string, string>> }) => ({ requestInit: { headers } });

/** Name of each client and how it connects. */
export const CLIENTS: Readonly<Record<string, (target: Target) => Promise<Peer>>> = {
  "SDK 1.12.3": async (target) => {
    const client = new OldestClient(INFO);
    await client.connect("url" in target ? new OldestHttp(target.url, INIT(target)) as never : new OldestStdio(target));
    return peer(client);
  },
  "SDK 1.32.2": async (target) => {
    const client = new NewestClient(INFO);
    await client.connect("url" in target ? new NewestHttp(target.url, INIT(target)) as never : new NewestStdio(target));
    return peer(client);
  },
  "SDK 2, initialize": async (target) => {
    const client = new NewClient(INFO);
    await client.connect("url" in target ? new NewHttp(target.url, INIT(target)) : new NewStdio(target));
    return peer(client);
  },
  "SDK 2, 2026-07-28": async (target) => {
    const client = new NewClient(INFO, { versionNegotiation: { mode: "auto" } });
    await client.connect("url" in target ? new NewHttp(target.url, INIT(target)) : new NewStdio(target));
    return peer(client);
  },
};

/** The program as a host starts it. */
export function server(
  store: string,
  env: Readonly<Record<string, string>> = {},
): Target & { readonly command: string } {
  const own = Object.fromEntries(
    Object.entries(surroundings(env)).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
  return { command: COMMAND, args: [...FIRST, "mcp", "--store", store], env: own, stderr: "ignore" };
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

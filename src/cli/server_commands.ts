// The commands that serve: the server of a host, and the daemon that many share. Their words and flags here, what they do loaded when one is asked for.
import { mcp } from "./mcp.ts";
import { type Command, type Flags, STORE_FLAGS } from "./command.ts";

const RUN_FLAGS: Flags = {
  idle: {
    type: "string",
    value: "MINUTES",
    summary: "Stop after so long without a client; 0 for never (default 10)",
  },
  http: {
    type: "string",
    value: "HOST:PORT",
    summary: "Also serve MCP and REST over HTTP there, for who has the token",
  },
  "http-remote": { type: "boolean", summary: "HOST may be reached from other machines; needs HOLDFAST_HTTP_TOKEN" },
  ...STORE_FLAGS,
};
const JSON_FLAG: Flags = { json: { type: "boolean", summary: "Print the structured result" } };

export const SERVER_COMMANDS: readonly Command[] = [
  mcp,
  {
    name: "daemon start",
    summary: "Start the store's daemon, which many clients share, and wait until it is ready",
    flags: { ...RUN_FLAGS, ...JSON_FLAG },
    run: async (input) => (await import("./daemon.ts")).start(input),
  },
  {
    name: "daemon stop",
    summary: "Stop the store's daemon once it has answered what it was asked",
    flags: { ...STORE_FLAGS, ...JSON_FLAG },
    run: async (input) => (await import("./daemon.ts")).stop(input),
  },
  {
    name: "daemon status",
    summary: "Show the store's daemon: process, clients, version, sizes",
    flags: { ...STORE_FLAGS, ...JSON_FLAG },
    run: async (input) => (await import("./daemon.ts")).status(input),
  },
  {
    name: "daemon run",
    summary: "Be the store's daemon, in the foreground",
    flags: RUN_FLAGS,
    run: async (input) => (await import("./daemon_run.ts")).run(input),
  },
  {
    name: "daemon service",
    summary: "Print a service file that starts the daemon with the session: systemd or launchd",
    positionals: "SYSTEM",
    flags: RUN_FLAGS,
    run: async (input) => (await import("./daemon_service.ts")).service(input),
  },
];

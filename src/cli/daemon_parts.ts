// What a daemon serves, put together: the one memory, MCP conversations on it, and requests to it.
import { statSync } from "node:fs";
import process from "node:process";
import type { Config } from "../core/config.ts";
import { VERSION } from "../core/version.ts";
import type { Methods } from "../daemon/methods.ts";
import type { Life } from "../daemon/run.ts";
import type { Guest, Served } from "../daemon/server.ts";
import { type HttpFlags, openHttp } from "./daemon_http.ts";
import { programFile } from "./self.ts";

/** An answer is written a moment after it is there. Milliseconds. */
const FLUSH = 20;

/** @param http where to open the HTTP door, if anywhere */
export async function openParts(config: Config, life: Life, http: HttpFlags | undefined) {
  const [{ openMemory }, { openReader }, { converse }, { answer }, { connectionOn }, { sizes }] = await Promise.all([
    import("../memory/open.ts"),
    import("../memory/reader.ts"),
    import("../mcp/stdio.ts"),
    import("../daemon/answers.ts"),
    import("../daemon/rpc.ts"),
    import("../store/health.ts"),
  ]);
  const memory = await openMemory(config);
  const reader = await openReader(config);
  const program = programFile();
  const startedAs = changed(program);
  const gauges = async () => ({
    facts: await reader.count(),
    storeBytes: sizes(config)?.store,
    clients: life.clients(),
  });
  const memories = { memory: () => Promise.resolve(memory), reader: () => Promise.resolve(reader) };
  const door = http && await openHttp(http, { ...memories, gauges });
  const methods: Methods = {
    ...memory,
    search: (request) => memory.search({ ...request, quick: false }), // its vectors are at hand
    list: reader.list,
    async status() {
      const bytes = sizes(config);
      return {
        pid: process.pid,
        version: VERSION,
        store: config.store,
        startedAt: life.startedAt,
        clients: life.clients(),
        memoryBytes: process.memoryUsage.rss(),
        http: door?.address,
        outdated: changed(program) !== startedAs,
        facts: await reader.count(),
        storeBytes: bytes?.store,
        logBytes: bytes?.log,
      };
    },
    stop: () => Promise.resolve(life.stop("asked")),
  };
  return {
    serve: {
      mcp: ({ socket, hello, rest }: Guest): Served =>
        converse({
          sessionId: hello.session ?? crypto.randomUUID(),
          ...memories,
        }, {
          input: socket,
          output: socket,
          owed: [],
          read: rest,
          ordinal: 0,
          ended: false,
          answered: hello.answered,
          leave: () => void socket.end(),
        }),
      rpc: ({ socket, rest }: Guest): Served => {
        let answers: () => Promise<unknown> = () => Promise.resolve();
        connectionOn(socket, rest, (connection) => answers = answer(connection, methods));
        socket.on("end", () => socket.end());
        return {
          ended: new Promise((resolve) => socket.once("close", () => resolve())),
          drain: () => void answers().then(() => setTimeout(() => socket.end(), FLUSH)),
        };
      },
    },
    lastAsked: () => door?.lastAsked() ?? 0,
    async close(limit: number) {
      await door?.close(limit);
      await memory.close();
      await reader.close();
    },
  };
}

/** Tells one state of a file from another. */
function changed(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat ? `${stat.mtimeMs} ${stat.size}` : "gone";
}

// `holdfast mcp`: the server that an agent host starts.
import { readConfig, silenceDriver, usesDaemon } from "../core/config.ts";
import { attach } from "../mcp/attach.ts";
import { greet, type Greeted } from "../mcp/greeting.ts";
import { type Command, type Input, settingsIn, STORE_FLAGS } from "./command.ts";

export const mcp: Command = {
  name: "mcp",
  summary: "Serve the five memory tools over standard input and output",
  flags: {
    daemon: {
      type: "boolean",
      summary:
        "Start the store's daemon if none runs; --no-daemon never uses one. Default: HOLDFAST_DAEMON, or use one that runs",
    },
    ...STORE_FLAGS,
  },
  async run({ flags }) {
    silenceDriver();
    const greeted = await greet();
    const sessionId = crypto.randomUUID();
    const left = await withDaemon(flags, greeted, sessionId);
    if (left === undefined) return 0;
    const { serve } = await import("../mcp/stdio.ts");
    const config = () => readConfig(settingsIn(flags));
    const memory = once(() => import("../memory/open.ts"), ({ openMemory }) => openMemory(config()));
    const reader = once(() => import("../memory/reader.ts"), ({ openReader }) => openReader(config()));
    await serve({ sessionId, memory: memory.open, reader: reader.open }, left);
    await memory.close();
    await reader.close();
    return 0;
  },
};

/** What is left for this process to serve: all of it where there is no daemon. */
async function withDaemon(flags: Input["flags"], greeted: Greeted, session: string): Promise<Greeted | undefined> {
  const daemon = await reached(flags, { session, answered: greeted.answered }).catch(() => undefined); // a call will tell
  return daemon === undefined ? greeted : await attach(greeted, daemon);
}

type Conversation = Pick<Greeted, "answered"> & { readonly session: string };

async function reached(flags: Input["flags"], conversation: Conversation) {
  const given = flags["daemon"];
  const wanted = usesDaemon(typeof given === "boolean" ? given : undefined);
  if (wanted === "never") return undefined;
  const [{ reach }, { placeOf }] = await Promise.all([import("../daemon/client.ts"), import("../daemon/place.ts")]);
  const place = placeOf(readConfig(settingsIn(flags)));
  const asked = { use: "mcp", ...conversation } as const;
  const found = await reach(place, asked);
  if (found !== "absent" || wanted !== "start") return socketOf(found);
  const [{ startDaemon }, { selfCommand }] = await Promise.all([import("../daemon/spawn.ts"), import("./self.ts")]);
  const { command, args } = selfCommand();
  const words = Object.entries(settingsIn(flags)).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value]
  );
  const started = await startDaemon(place, { command, args: [...args, "daemon", "run", ...words] });
  started.socket.destroy();
  return socketOf(await reach(place, asked));
}

function socketOf(found: Awaited<ReturnType<typeof import("../daemon/client.ts").reach>>) {
  if (typeof found === "string") return undefined;
  if (found.rest.length > 0) found.socket.unshift(found.rest);
  return found.socket;
}

/** Opened when first asked for, and anew where that failed, but for a module that cannot be loaded; closed where it was opened. */
function once<Module, T extends { close(): Promise<void> }>(
  load: () => Promise<Module>,
  open: (from: Module) => T | Promise<T>,
) {
  let loaded: Promise<Module> | undefined;
  let opened: Promise<T> | undefined;
  return {
    open: () =>
      opened ??= (loaded ??= load()).then(open).catch((thrown) => {
        opened = undefined;
        throw thrown;
      }),
    close: async () => await opened?.then((one) => one.close(), () => {}),
  };
}

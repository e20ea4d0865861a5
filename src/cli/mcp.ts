// `holdfast mcp`: the server that an agent host starts.
import { readConfig, silenceDriver } from "../core/config.ts";
import { newId } from "../core/ids.ts";
import { greet } from "../mcp/greeting.ts";
import { type Command, STORE_FLAGS } from "./command.ts";

export const mcp: Command = {
  name: "mcp",
  summary: "Serve the five memory tools over standard input and output",
  flags: STORE_FLAGS,
  async run({ flags }) {
    silenceDriver();
    const greeted = await greet();
    const { serve } = await import("../mcp/stdio.ts");
    const text = (flag: string) => flags[flag]?.toString();
    const config = () =>
      readConfig({
        store: text("store"),
        durability: text("durability"),
        embedder: text("embedder"),
        secrets: text("secrets"),
      });
    const memory = once(() => import("../memory/open.ts"), ({ openMemory }) => openMemory(config()));
    const reader = once(() => import("../memory/reader.ts"), ({ openReader }) => openReader(config()));
    await serve({ sessionId: newId(), memory: memory.open, reader: reader.open }, greeted);
    await memory.close();
    await reader.close();
    return 0;
  },
};

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

// `holdfast mcp`: the server that an agent host starts.
import { readConfig, silenceDriver } from "../core/config.ts";
import { newId } from "../core/ids.ts";
import type { Memory } from "../memory/memory.ts";
import type { Reader } from "../memory/reader.ts";
import { type Command, STORE_FLAGS } from "./command.ts";

export const mcp: Command = {
  name: "mcp",
  summary: "Serve the five memory tools over standard input and output",
  flags: STORE_FLAGS,
  async run({ flags }) {
    silenceDriver();
    const { serve } = await import("../mcp/stdio.ts");
    const text = (flag: string) => flags[flag]?.toString();
    const config = () =>
      readConfig({
        store: text("store"),
        durability: text("durability"),
        embedder: text("embedder"),
        secrets: text("secrets"),
      });
    const memory = once<Memory>(async () => (await import("../memory/open.ts")).openMemory(config()));
    const reader = once<Reader>(async () => (await import("../memory/reader.ts")).openReader(config()));
    await serve({ sessionId: newId(), memory: memory.open, reader: reader.open });
    await memory.close();
    await reader.close();
    return 0;
  },
};

/** Opened when first asked for, and anew where that failed; closed where it was opened. */
function once<T extends { close(): Promise<void> }>(make: () => Promise<T>) {
  let opened: Promise<T> | undefined;
  return {
    open: () =>
      opened ??= make().catch((thrown) => {
        opened = undefined;
        throw thrown;
      }),
    close: async () => await opened?.then((one) => one.close(), () => {}),
  };
}

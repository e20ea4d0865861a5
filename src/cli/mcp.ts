// `holdfast mcp`: the server that an agent host starts.
import { readConfig, silenceDriver } from "../core/config.ts";
import { newId } from "../core/ids.ts";
import type { Memory } from "../memory/memory.ts";
import { type Command, STORE_FLAGS } from "./command.ts";

export const mcp: Command = {
  name: "mcp",
  summary: "Serve the five memory tools over standard input and output",
  flags: STORE_FLAGS,
  async run({ flags }) {
    silenceDriver();
    const { serve } = await import("../mcp/stdio.ts");
    let opened: Promise<Memory> | undefined;
    const open = async () => {
      const { openMemory } = await import("../memory/open.ts");
      const text = (flag: string) => flags[flag]?.toString();
      return openMemory(
        readConfig({
          store: text("store"),
          durability: text("durability"),
          embedder: text("embedder"),
          secrets: text("secrets"),
        }),
      );
    };
    const memory = () =>
      opened ??= open().catch((thrown) => {
        opened = undefined;
        throw thrown;
      });
    await serve({ sessionId: newId(), memory });
    await opened?.then((one) => one.close(), () => {});
    return 0;
  },
};

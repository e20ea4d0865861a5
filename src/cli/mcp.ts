// `holdfast mcp`: the server that an agent host starts.
import { readConfig, silenceDriver } from "../core/config.ts";
import { newId } from "../core/ids.ts";
import { greet } from "../mcp/greeting.ts";
import type { Memory } from "../memory/memory.ts";
import { type Command, STORE_FLAGS } from "./command.ts";

export const mcp: Command = {
  name: "mcp",
  summary: "Serve the five memory tools over standard input and output",
  flags: STORE_FLAGS,
  async run({ flags }) {
    silenceDriver();
    const greeted = await greet();
    const { serve } = await import("../mcp/stdio.ts");
    let opened: Promise<Memory> | undefined;
    let loaded: Promise<typeof import("../memory/open.ts")> | undefined; // a module that failed to load fails alike each time
    const open = async () => {
      const { openMemory } = await (loaded ??= import("../memory/open.ts"));
      const text = (flag: string) => flags[flag]?.toString();
      return openMemory(
        readConfig({ store: text("store"), durability: text("durability"), embedder: text("embedder") }),
      );
    };
    const memory = () =>
      opened ??= open().catch((thrown) => {
        opened = undefined;
        throw thrown;
      });
    await serve({ sessionId: newId(), memory }, greeted);
    await opened?.then((one) => one.close(), () => {});
    return 0;
  },
};

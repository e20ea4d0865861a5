// The store as a short command uses it: through its daemon where one runs, else opened here.
import { type Config, usesDaemon } from "../core/config.ts";
import { reach } from "../daemon/client.ts";
import { placeOf } from "../daemon/place.ts";
import { type SharedMemory, sharedMemory } from "../daemon/shared_memory.ts";

/**
 * @param own settings for opening the store here, where they differ
 * @param patience milliseconds for a daemon to let this process in
 */
export async function openShared(config: Config, own: Config = config, patience?: number): Promise<SharedMemory> {
  const found = usesDaemon() === "never" ? "absent" : await reached(config, patience);
  const remote = typeof found === "string" ? undefined : (await import("../daemon/remote.ts")).remoteMemory(found);
  return sharedMemory(remote, {
    memory: async () => (await import("../memory/open.ts")).openMemory(own),
    reader: async () => (await import("../memory/reader.ts")).openReader(own),
  });
}

/** A user without a place for daemons has none. */
async function reached(config: Config, patience: number | undefined): ReturnType<typeof reach> {
  try {
    return await reach(placeOf(config), { use: "rpc" }, patience);
  } catch {
    return "absent";
  }
}

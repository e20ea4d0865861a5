// A memory that is the daemon's while there is one, and this process's own from the moment it is gone.
import { toMemoryError } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import type { Memory } from "../memory/memory.ts";
import type { Reader } from "../memory/reader.ts";
import { type Method, METHODS, type Shared } from "./methods.ts";
import type { Remote } from "./remote.ts";

/** How this process opens the store when it must. */
export interface Own {
  memory(): Promise<Memory>;
  reader(): Promise<Reader>;
}

/** What needs neither words nor meaning: a reader opens in a fraction of the time. */
const READ: readonly Method[] = ["list", "saveCheckpoint", "resumeCheckpoint"];

export type SharedMemory = Shared & { close(): Promise<void> };

/** What was cut off is asked again of the store itself: reads do no harm, and a write's operation has one effect. */
export function sharedMemory(remote: Remote | undefined, own: Own): SharedMemory {
  let daemon = remote;
  const opened: { memory?: Promise<Memory>; reader?: Promise<Reader> } = {};
  const here = async (method: Method): Promise<unknown> => {
    const open = () => READ.includes(method) ? opened.reader ??= own.reader() : opened.memory ??= own.memory();
    return (await open() as unknown as Record<Method, unknown>)[method]; // READ says which has it
  };
  const call = (method: Method) => async (request: object) => {
    const asked = METHODS[method] === "writes" ? { operation: newId(), ...request } : request;
    if (daemon) {
      try {
        return await (daemon[method] as (request: object) => Promise<unknown>)(asked); // of this method, as below
      } catch (thrown) {
        if (toMemoryError(thrown).code !== "daemon_away") throw thrown;
        daemon = undefined;
      }
    }
    return await (await here(method) as (request: object) => Promise<unknown>)(asked);
  };
  const shared = Object.fromEntries((Object.keys(METHODS) as Method[]).map((method) => [method, call(method)])); // its own keys
  return {
    ...shared as unknown as Shared, // one of each, above
    async close() {
      daemon?.close();
      for (const one of [opened.memory, opened.reader]) await one?.then((open) => open.close(), () => {});
    },
  };
}

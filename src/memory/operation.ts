// A memory whose next write has a given id, so that asking for it again has no second effect.
import type { Memory } from "./memory.ts";

/** @param operation of one write, whichever it is */
export function withOperation(memory: Memory, operation: string): Memory {
  return {
    ...memory,
    add: (request) => memory.add({ ...request, operation }),
    update: (request) => memory.update({ ...request, operation }),
    forget: (request) => memory.forget({ ...request, operation }),
    pin: (request) => memory.pin({ ...request, operation }),
    link: (request) => memory.link({ ...request, operation }),
    saveCheckpoint: (request) => memory.saveCheckpoint({ ...request, operation }),
  };
}

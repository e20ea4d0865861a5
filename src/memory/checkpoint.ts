// Saving where an agent stands, and finding it again.
import { MemoryError } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import { quoted } from "../core/text.ts";
import type { Checkpoints } from "../store/checkpoints.ts";
import type { Memory } from "./memory.ts";

export function checkpointing(
  { checkpoints, now }: { readonly checkpoints: Checkpoints; readonly now: () => number },
): Pick<Memory, "saveCheckpoint" | "resumeCheckpoint"> {
  return {
    async saveCheckpoint(request) {
      const checkpointId = newId();
      return { checkpointId, createdAt: await checkpoints.save({ ...request, checkpointId, now: now() }) };
    },
    async resumeCheckpoint({ agentId, checkpointId }) {
      const found = await checkpoints.find(agentId, checkpointId);
      if (found) return found;
      if (checkpointId === undefined) {
        throw new MemoryError("no_checkpoint", `No checkpoint found for agent ${quoted(agentId, 256)}`);
      }
      throw new MemoryError(
        "no_match",
        `No checkpoint ${quoted(checkpointId)} found for agent ${quoted(agentId, 256)}`,
        {
          hint: "Leave checkpoint_id out to resume the newest",
        },
      );
    },
  };
}

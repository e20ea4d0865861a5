// Saving where an agent stands, and finding it again.
import { MemoryError } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import { quoted } from "../core/text.ts";
import type { Checkpoints } from "../store/checkpoints.ts";
import type { Memory } from "./memory.ts";
import { type Policy, valueIn, valueOut } from "./secrets.ts";

export function checkpointing(
  { checkpoints, now, secrets }: {
    readonly checkpoints: Checkpoints;
    readonly now: () => number;
    readonly secrets?: Policy;
  },
): Pick<Memory, "saveCheckpoint" | "resumeCheckpoint"> {
  return {
    async saveCheckpoint({ operation: checkpointId = newId(), ...request }) {
      const { value, ...replaced } = valueIn(request, "save checkpoint", secrets);
      const createdAt = await checkpoints.save({ ...value, agentId: request.agentId, checkpointId, now: now() });
      return { checkpointId, createdAt, ...replaced };
    },
    async resumeCheckpoint({ agentId, checkpointId }) {
      const found = await checkpoints.find(agentId, checkpointId);
      if (found) return valueOut(found, secrets);
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

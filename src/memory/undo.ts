// Taking back the last update or forget. What was retired stays retired: its text is told again, as a new fact.
import { MemoryError } from "../core/errors.ts";
import { quoted } from "../core/text.ts";
import type { Memory } from "./memory.ts";
import type { Reader } from "./reader.ts";

/** What is held again, by which fact, and the fact that gave way to it where an update was taken back. */
export interface Undone {
  readonly text: string;
  readonly factId: string;
  readonly instead?: string;
}

/** @throws MemoryError no_match where the agent has nothing to take back. */
export async function undo(
  memory: Pick<Memory, "add" | "update" | "pin">,
  reader: Pick<Reader, "lastRetired" | "history">,
  { agentId, sessionId }: { readonly agentId: string; readonly sessionId: string },
): Promise<Undone> {
  const [last] = await reader.lastRetired(agentId);
  if (!last) throw nothing(agentId);
  const { text, confidence, supersededBy } = last;
  const told = { agentId, sessionId, text, confidence };
  const successor = (await reader.history(last.factId)).find(({ factId }) => factId === supersededBy);
  if (successor && successor.retiredAt === undefined) {
    const { factId } = await memory.update({ ...told, target: successor.factId });
    return { text, factId, instead: successor.factId };
  }
  const { factId, duplicate } = await memory.add(told);
  if (duplicate) throw nothing(agentId);
  if (last.pinned) await memory.pin({ agentId, target: factId, pinned: true });
  return { text, factId };
}

function nothing(agentId: string): MemoryError {
  return new MemoryError("no_match", `Nothing to take back for agent ${quoted(agentId, 256)}`, {
    hint: "holdfast list --retired shows what was updated and forgotten",
  });
}

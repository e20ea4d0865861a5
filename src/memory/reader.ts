// What needs neither words nor meaning: checkpoints and lists. Opens in a fraction of the time of a whole memory.
import type { Config } from "../core/config.ts";
import { openCheckpoints } from "../store/checkpoints.ts";
import { openEmbedded } from "../store/embedded.ts";
import { type Listing, openListing } from "../store/listing.ts";
import { checkpointing } from "./checkpoint.ts";
import type { Memory } from "./memory.ts";

export type Reader = Listing & Pick<Memory, "saveCheckpoint" | "resumeCheckpoint" | "close">;

export function openReader(config: Config, now: () => number = Date.now): Reader {
  const database = openEmbedded(config);
  return {
    ...openListing(database),
    ...checkpointing({ checkpoints: openCheckpoints(database), now, secrets: config.secrets }),
    close: () => database.close(),
  };
}

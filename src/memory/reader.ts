// What needs neither words nor meaning: checkpoints and lists. Opens in a fraction of the time of a whole memory.
import type { Config } from "../core/config.ts";
import type { Fact } from "../core/model.ts";
import { openCheckpoints } from "../store/checkpoints.ts";
import { type Listing, openListing } from "../store/listing.ts";
import { openDatabase } from "../store/store.ts";
import { checkpointing } from "./checkpoint.ts";
import type { Memory } from "./memory.ts";
import { textOut } from "./secrets.ts";

export type Reader = Listing & Pick<Memory, "saveCheckpoint" | "resumeCheckpoint" | "close">;

export async function openReader(config: Config, now: () => number = Date.now): Promise<Reader> {
  const { secrets } = config;
  const database = await openDatabase(config);
  const listing = openListing(database);
  const out = (facts: readonly Fact[]) => facts.map((fact) => ({ ...fact, text: textOut(fact.text, secrets) }));
  return {
    ...listing,
    async list(query) {
      const { facts, total } = await listing.list(query);
      return { facts: out(facts), total };
    },
    history: async (factId) => out(await listing.history(factId)),
    lastRetired: async (agentId) => out(await listing.lastRetired(agentId)),
    ...checkpointing({ checkpoints: openCheckpoints(database), now, secrets }),
    close: () => database.close(),
  };
}

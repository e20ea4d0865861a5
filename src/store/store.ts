// The store as a whole: one database, and what speaks to its tables.
import type { Config } from "../core/config.ts";
import { type Checkpoints, openCheckpoints } from "./checkpoints.ts";
import { openEmbedded } from "./embedded.ts";
import { type Facts, openFacts } from "./facts.ts";
import { type Graph, openGraph } from "./graph.ts";
import { openTermsIndex, type TermsIndex } from "./terms_index.ts";

export interface Store {
  readonly facts: Facts;
  readonly index: TermsIndex;
  readonly checkpoints: Checkpoints;
  readonly graph: Graph;
  close(): Promise<void>;
}

/** Opens nothing yet: the first call does, so that a store that is away fails calls, not the start. */
export function openStore(config: Config): Store {
  const database = openEmbedded(config);
  return {
    facts: openFacts(database),
    index: openTermsIndex(database),
    checkpoints: openCheckpoints(database),
    graph: openGraph(database),
    close: () => database.close(),
  };
}

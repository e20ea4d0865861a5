// The store as a whole: one database, and what speaks to its tables.
import type { Config } from "../core/config.ts";
import { type Candidates, openCandidates } from "./candidates.ts";
import { type Checkpoints, openCheckpoints } from "./checkpoints.ts";
import { openEmbedded } from "./embedded.ts";
import { type Facts, openFacts } from "./facts.ts";
import { type Graph, openGraph } from "./graph.ts";
import { type Model, openVectors, type Vectors } from "./vectors.ts";

export interface Store {
  readonly facts: Facts;
  readonly candidates: Candidates;
  /** Undefined where facts are found by words alone. */
  readonly vectors: Vectors | undefined;
  readonly checkpoints: Checkpoints;
  readonly graph: Graph;
  close(): Promise<void>;
}

/** Opens nothing yet: the first call does, so that a store that is away fails calls, not the start. */
export function openStore(config: Config, model: Model | undefined): Store {
  const database = openEmbedded(config);
  const vectors = model && openVectors(database, model);
  return {
    facts: openFacts(database),
    candidates: openCandidates(database, vectors),
    vectors,
    checkpoints: openCheckpoints(database),
    graph: openGraph(database),
    close: () => database.close(),
  };
}

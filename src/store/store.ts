// The store as a whole: one database, and what speaks to its tables.
import type { Config } from "../core/config.ts";
import { type Candidates, openCandidates } from "./candidates.ts";
import { type Checkpoints, openCheckpoints } from "./checkpoints.ts";
import type { Database } from "./database.ts";
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
export async function openStore(config: Config, model: Model | undefined): Promise<Store> {
  const database = await openDatabase(config);
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

/** A file or a server; the driver of the other is never loaded. */
export async function openDatabase(config: Config): Promise<Database> {
  if (config.server) return (await import("./remote.ts")).openRemote(config);
  return (await import("./embedded.ts")).openEmbedded(config);
}

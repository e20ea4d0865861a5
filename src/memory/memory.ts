// The waist: what a memory can do, whoever asks and wherever the store is.
import type { Checkpoint, Confidence, Hit, Message } from "../core/model.ts";

export interface SearchRequest {
  readonly agentId: string;
  readonly query: string;
  /** Most hits to return; a ceiling, not a quota. */
  readonly topK?: number | undefined;
  readonly includeShared?: boolean | undefined;
  /** Only facts told from `since` to `until`, milliseconds since 1970. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** What was held true then: told by then and not yet retired. */
  readonly asOf?: number | undefined;
  readonly explain?: boolean | undefined;
  /** Only facts that share a word with the query: for a process that lives for one question and would read all vectors for it. */
  readonly quick?: boolean | undefined;
}

export interface SearchResult {
  readonly hits: readonly Hit[];
  /** Why there is nothing, or what was left out: one line. */
  readonly note?: string;
  /** What this answer had to do without, a sentence each. */
  readonly degraded?: readonly string[];
}

/** What every request that changes something may carry. */
export interface Write {
  /** Id of this write, as `newId` makes them: sent twice, it has one effect and one result. */
  readonly operation?: string | undefined;
}

export interface AddRequest extends Write {
  readonly agentId: string;
  readonly text: string;
  /** The conversation it was told in. */
  readonly sessionId: string;
  readonly confidence?: Confidence | undefined;
  /** When it was told, milliseconds since 1970; now where absent. */
  readonly toldAt?: number | undefined;
}

/** A fact of an agent by its exact text or its id. */
export interface TargetRequest {
  readonly agentId: string;
  readonly target: string;
}

export interface LinkRequest extends Write {
  readonly agentId: string;
  readonly source: string;
  readonly relation: string;
  readonly target: string;
}

export interface SaveRequest extends Write {
  readonly agentId: string;
  readonly label?: string | undefined;
  readonly state?: Readonly<Record<string, unknown>> | undefined;
  readonly messages?: readonly Message[] | undefined;
  /** Saved by a hook: it never takes the place of one that the agent saved. */
  readonly auto?: boolean | undefined;
}

/** Credentials that were replaced in what was stored, by name: `GitHub token`. */
export interface Replaced {
  readonly replaced?: readonly string[];
}

/**
 * Every method rejects with a MemoryError. A write that resolves is committed:
 * it survives the death of the process, and a later search finds it.
 */
export interface Memory {
  search(request: SearchRequest): Promise<SearchResult>;
  add(request: AddRequest): Promise<{ readonly factId: string; readonly duplicate: boolean } & Replaced>;
  /** Rejects with `no_match` where no live fact is the target; then nothing was stored. */
  update(
    request: AddRequest & TargetRequest,
  ): Promise<{ readonly factId: string; readonly retired: readonly string[] } & Replaced>;
  forget(request: TargetRequest & Write): Promise<{ readonly retired: readonly string[] }>;
  pin(
    request: TargetRequest & Write & { readonly pinned: boolean },
  ): Promise<{ readonly factIds: readonly string[] }>;
  link(request: LinkRequest): Promise<void>;
  saveCheckpoint(
    request: SaveRequest,
  ): Promise<{ readonly checkpointId: string; readonly createdAt: number } & Replaced>;
  /** The newest that the agent saved (else the newest at all), or the one named. Rejects with `no_checkpoint` where the agent has none, `no_match` where the id is unknown. */
  resumeCheckpoint(
    request: { readonly agentId: string; readonly checkpointId?: string | undefined },
  ): Promise<Checkpoint>;
  close(): Promise<void>;
}

// The words everyone shares: what a fact, a hit and a checkpoint are.

export const CONFIDENCES = ["verified", "inferred", "unverified"] as const;
export type Confidence = typeof CONFIDENCES[number];

/** The namespace that every agent of a store reads. */
export const SHARED = "__shared__";

/** Times are milliseconds since 1970. */
export interface Fact {
  readonly factId: string;
  readonly agentId: string;
  readonly text: string;
  /** When it was told. */
  readonly createdAt: number;
  readonly confidence: Confidence;
  readonly pinned: boolean;
  readonly retiredAt?: number;
  /** Id of the fact that took its place. */
  readonly supersededBy?: string;
}

/** One signal's share of a score: its value before and its part after weighting. */
export interface Signal {
  readonly signal: string;
  readonly value: number;
  readonly part: number;
}

/** A fact found by a search, with its score from 0 to 1, comparable within one answer. */
export interface Hit extends Fact {
  readonly score: number;
  readonly why?: readonly Signal[];
}

export interface Message {
  readonly role: string;
  readonly content: string;
}

export interface Checkpoint {
  readonly checkpointId: string;
  readonly createdAt: number;
  readonly label?: string;
  readonly state?: Readonly<Record<string, unknown>>;
  readonly messageCount: number;
  readonly messages?: readonly Message[];
}

// What turns texts into vectors: the one interface, whatever is behind it.

export interface Embedder {
  /** Names the model; vectors of different ids are never compared. */
  readonly id: string;
  readonly dimensions: number;
  /** One vector of length 1 for each text, in order; all zeros for a text the model knows nothing of. */
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>;
  close(): Promise<void>;
}

/** The vector as whole numbers from -127 to 127: a quarter of the size, the same direction. */
export function quantize(vector: Float32Array): Int8Array {
  let most = 0;
  for (const value of vector) most = Math.max(most, Math.abs(value));
  return Int8Array.from(vector, (value) => (most === 0 ? 0 : Math.round(value * 127 / most)));
}

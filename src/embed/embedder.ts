// What turns texts into vectors: the one interface, whatever is behind it.

export interface Embedder {
  /** Names the model; vectors of different ids are never compared. */
  readonly id: string;
  /** Numbers in a vector. Undefined until the first one was made, where only the model's host knows. */
  readonly dimensions: number | undefined;
  /**
   * One vector of length 1 for each text, in order; all zeros for a text the model knows nothing of.
   * One text alone is a question that someone waits for; several are work that may wait.
   */
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>;
  /** Stops what is under way: its promises reject. */
  close(): Promise<void>;
}

/** The vector made length 1; all zeros stay zeros. */
export function unit(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  return sum === 0 ? vector : vector.map((value) => value / Math.sqrt(sum));
}

/** The vector as whole numbers from -127 to 127: a quarter of the size, the same direction. */
export function quantize(vector: Float32Array): Int8Array {
  let most = 0;
  for (const value of vector) most = Math.max(most, Math.abs(value));
  return Int8Array.from(vector, (value) => (most === 0 ? 0 : Math.round(value * 127 / most)));
}

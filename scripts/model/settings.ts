// How the table is made: sizes, weights and seeds.

export const SETTINGS = {
  seed: 20_261_201,
  threads: 2,
  dimensions: 256,
  /** Words of GloVe whose vectors and ranks are known. */
  known: 200_000,
  /** Rows for whole words, the most frequent of GloVe; WordPieces come on top. */
  words: 30_000,
  /** A row's weight is a / (a + p), p the word's share of all words by Zipf's law. */
  a: 1e-2,
  glove: { removed: 2, tuned: 0.7, tuning: { epochs: 3, batch: 512, rate: 3e-3, temperature: 0.07 } },
  /** Sentences that the teacher reads: all examples of WordNet, and of its definitions as many as fill up. */
  sentences: 48_000,
  fitting: { epochs: 8, batch: 512, rate: 2e-3, temperature: 0.07, cosine: 1 },
  /** The parts' share before they are made one. */
  mix: { teacher: 1, glove: 0.8 },
} as const;

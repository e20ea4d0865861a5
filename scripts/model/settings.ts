// How the table is made: sizes, weights and seeds.

export const SETTINGS = {
  threads: 2,
  dimensions: 256,
  vocabulary: {
    /** Words of GloVe whose vectors and ranks are known. */
    known: 200_000,
    /** The most frequent words, which get a row each; so do words that documentation uses so often, and WordPieces. */
    common: 36_000,
    documented: 3,
  },
  /** A row's weight is a / (a + p), p the word's share of all words by Zipf's law. */
  a: 1e-2,
  /** How many sentences of each source the teacher reads, and the seed that chooses them. */
  sentences: {
    examples: { count: 9_000, seed: 1 },
    definitions: { count: 12_000, seed: 2 },
    phrases: { count: 4_000, seed: 3 },
    documentation: { count: 3_000, seed: 4 },
  },
  fitting: { epochs: 8, batch: 512, rate: 2e-3, temperature: 0.07, cosine: 1, seed: 5 },
  /** GloVe's part: strongest directions removed, share of what was tuned on WordNet's pairs. */
  glove: { removed: 2, tuned: 0.7 },
  tuning: { epochs: 3, batch: 512, rate: 3e-3, temperature: 0.07, seed: 6 },
  /** What each part weighs in the table. */
  mix: { teacher: 1, glove: 0.6 },
} as const;

export type Settings = typeof SETTINGS;

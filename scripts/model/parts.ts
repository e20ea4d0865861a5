// The two parts a row is made of: what the teacher and what GloVe know of a word, each fitted to texts.
import { type Glove, GLOVE_DIMENSIONS } from "./glove.ts";
import { centre, type Matrix, matrix, meanLength, normalize, principalAxes, project, rowOf, times } from "./matrix.ts";
import { chance } from "./random.ts";
import type { Settings } from "./settings.ts";
import { TEACHER_DIMENSIONS } from "./teacher.ts";
import { type Example, train } from "./train.ts";
import type { Vocabulary } from "./vocabulary.ts";
import type { WordNet } from "./wordnet.ts";

export interface Taught {
  /** The teacher's vectors of the vocabulary, and of the sentences. */
  readonly words: Float32Array;
  readonly sentences: Float32Array;
  readonly texts: readonly string[];
}

/** Model2Vec's way: the teacher's vector of each word alone, fewer dimensions, common words weigh less; then fitted. */
export function teacherPart(vocabulary: Vocabulary, taught: Taught, settings: Settings): Matrix {
  const words = matrix(vocabulary.words.length, TEACHER_DIMENSIONS, taught.words.slice());
  const sentences = matrix(taught.texts.length, TEACHER_DIMENSIONS, taught.sentences.slice());
  centre(words);
  centre(sentences);
  const axes = principalAxes(words, settings.dimensions);
  const part = weigh(project(words, axes), vocabulary.weights(settings.a));
  const goals = project(sentences, axes);
  normalize(goals);
  const examples = taught.texts.map((text, at): Example => ({ rows: vocabulary.rows(text), goal: rowOf(goals, at) }));
  train(part, examples.filter(({ rows }) => rows.length > 0), {
    ...settings.fitting,
    random: chance(settings.fitting.seed),
  });
  return part;
}

/** GloVe without what all its words share, tuned until texts that WordNet pairs are near each other. */
export function glovePart(vocabulary: Vocabulary, glove: Glove, wordnet: WordNet, settings: Settings): Matrix {
  const { a, glove: how, tuning } = settings;
  const known = vocabulary.words.flatMap((word, row) => {
    const vector = glove.vectors.get(word);
    return vector ? [{ row, vector }] : [];
  });
  const vectors = matrix(known.length, GLOVE_DIMENSIONS);
  known.forEach(({ vector }, at) => rowOf(vectors, at).set(vector));
  centre(vectors);
  withoutAxes(vectors, principalAxes(vectors, how.removed));
  const raw = matrix(vocabulary.words.length, GLOVE_DIMENSIONS);
  known.forEach(({ row }, at) => rowOf(raw, row).set(rowOf(vectors, at)));
  weigh(raw, vocabulary.weights(a));
  const tuned = times(raw, 1);
  const pairs = wordnet.pairs.map(([left, right]): Example => ({
    rows: vocabulary.rows(left),
    goal: vocabulary.rows(right),
  }));
  train(tuned, pairs.filter(({ rows, goal }) => rows.length > 0 && goal.length > 0), {
    ...tuning,
    random: chance(tuning.seed),
  });
  return { ...raw, cells: raw.cells.map((cell, at) => (1 - how.tuned) * cell + how.tuned * (tuned.cells[at] ?? 0)) };
}

/** Both parts as one table, its dimensions sorted by what they weigh. */
export function join(teacher: Matrix, glove: Matrix, { mix, dimensions }: Settings): Matrix {
  const [left, right] = [
    times(teacher, mix.teacher / meanLength(teacher)),
    times(glove, mix.glove / meanLength(glove)),
  ];
  const joined = matrix(left.rows, left.width + right.width);
  for (let row = 0; row < joined.rows; row++) {
    rowOf(joined, row).set(rowOf(left, row));
    rowOf(joined, row).set(rowOf(right, row), left.width);
  }
  return project(joined, principalAxes(joined, dimensions));
}

function weigh(of: Matrix, weights: Float32Array): Matrix {
  for (let at = 0; at < of.cells.length; at++) {
    of.cells[at] = (of.cells[at] ?? 0) * (weights[Math.floor(at / of.width)] ?? 1);
  }
  return of;
}

function withoutAxes(of: Matrix, axes: Matrix): void {
  const shares = project(of, axes);
  for (let row = 0; row < of.rows; row++) {
    const cells = rowOf(of, row);
    for (let axis = 0; axis < axes.rows; axis++) {
      const share = rowOf(shares, row)[axis] ?? 0;
      rowOf(axes, axis).forEach((value, at) => cells[at] = (cells[at] ?? 0) - share * value);
    }
  }
}

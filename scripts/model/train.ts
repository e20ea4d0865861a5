// Training: moves rows so that texts that belong together point the same way, and others of the same batch do not.
import { blend, clear, dots, place } from "./kernel.ts";
import { type Matrix, normalize, rowOf } from "./matrix.ts";
import { chunks, shuffled } from "./random.ts";

export interface Training {
  readonly epochs: number;
  readonly batch: number;
  /** Adam's step at first; it falls to nothing in a straight line. */
  readonly rate: number;
  readonly temperature: number;
  /** Weight of the plain cosine beside the contrast within the batch. */
  readonly cosine?: number;
  /** So many examples that follow one another stay together: what resembles each other is told apart in one batch. */
  readonly together?: number;
  readonly random: () => number;
}

/** Rows of a text; and what they should point at: rows of another text, or a vector of length 1. */
export interface Example {
  readonly rows: Int32Array;
  readonly goal: Int32Array | Float32Array;
}

/**
 * InfoNCE in both directions (van den Oord et al. 2018) with Adam on the rows touched (Kingma and Ba 2014). A text is
 * the sum of its rows.
 */
export function train(table: Matrix, examples: readonly Example[], training: Training): void {
  const { epochs, batch: size, together = 1, random } = training;
  const step = adam(table, training.rate, epochs * Math.floor(examples.length / size));
  const batchOf = batches(table.width, training);
  for (let epoch = 1; epoch <= epochs; epoch++) {
    const order = shuffled(chunks(examples, together), random).flat();
    let loss = 0;
    let count = 0;
    for (let at = 0; at + size <= order.length; at += size, count++) {
      loss += batchOf(table, order.slice(at, at + size), step.add);
      step.take();
    }
    console.error(`  epoch ${epoch} of ${epochs}: loss ${(loss / count).toFixed(4)}`);
  }
}

/** Gives a function that adds the gradients of one batch, and gives its loss. */
function batches(width: number, { batch: size, temperature, cosine = 0 }: Training) {
  clear();
  const [left, right, toLeft, toRight] = [
    place(size, width),
    place(size, width),
    place(size, width),
    place(size, width),
  ];
  const [scores, turned] = [place(size, size), place(size, size)];
  return (table: Matrix, batch: readonly Example[], add: (row: number, gradient: Float32Array) => void): number => {
    batch.forEach(({ rows, goal }, at) => {
      sum(table, rows, rowOf(left, at));
      if (goal instanceof Int32Array) sum(table, goal, rowOf(right, at));
      else rowOf(right, at).set(goal);
    });
    const [leftLengths, rightLengths] = [normalize(left), normalize(right)];
    dots(left, right, scores);
    const loss = contrast(scores, temperature, cosine);
    blend(scores, right, toLeft);
    const movesGoals = batch[0]?.goal instanceof Int32Array;
    if (movesGoals) {
      for (let i = 0; i < size; i++) {
        for (let j = 0; j < size; j++) turned.cells[j * size + i] = scores.cells[i * size + j] ?? 0;
      }
      blend(turned, left, toRight);
    }
    batch.forEach(({ rows, goal }, at) => {
      const gradient = throughLength(rowOf(left, at), rowOf(toLeft, at), leftLengths[at] ?? 1);
      for (const row of rows) add(row, gradient);
      if (!(goal instanceof Int32Array)) return;
      const other = throughLength(rowOf(right, at), rowOf(toRight, at), rightLengths[at] ?? 1);
      for (const row of goal) add(row, other);
    });
    return loss;
  };
}

function sum(table: Matrix, rows: Int32Array, into: Float32Array): void {
  into.fill(0);
  for (const row of rows) {
    const start = row * table.width;
    for (let at = 0; at < into.length; at++) into[at] = (into[at] ?? 0) + (table.cells[start + at] ?? 0);
  }
}

/** Turns cosines into the gradients of the loss by them, in place; gives the loss. */
function contrast({ cells, rows: size }: Matrix, temperature: number, cosine: number): number {
  const [across, down] = [new Float64Array(size), new Float64Array(size)];
  const own = Float64Array.from(across, (_, i) => cells[i * size + i] ?? 0);
  for (let i = 0, at = 0; i < size; i++) {
    let sum = 0;
    for (let j = 0; j < size; j++, at++) {
      const power = Math.exp(((cells[at] ?? 0) - 1) / temperature);
      cells[at] = power;
      sum += power;
      down[j] = (down[j] ?? 0) + power;
    }
    across[i] = sum;
  }
  const scale = 1 / (2 * temperature * size);
  for (let i = 0, at = 0; i < size; i++) {
    const ofRow = scale / (across[i] ?? 1);
    for (let j = 0; j < size; j++, at++) cells[at] = (cells[at] ?? 0) * (ofRow + scale / (down[j] ?? 1));
  }
  let loss = 0;
  for (let i = 0; i < size; i++) {
    const at = i * size + i;
    const value = own[i] ?? 0;
    cells[at] = (cells[at] ?? 0) - 2 * scale - cosine / size;
    loss += Math.log(across[i] ?? 1) / 2 + Math.log(down[i] ?? 1) / 2 - (value - 1) / temperature -
      cosine * (value - 1);
  }
  return loss / size;
}

/** The gradient by a vector, from the gradient by the same vector made length 1. */
function throughLength(unit: Float32Array, gradient: Float32Array, length: number): Float32Array {
  let along = 0;
  for (let at = 0; at < unit.length; at++) along += (unit[at] ?? 0) * (gradient[at] ?? 0);
  return gradient.map((value, at) => (value - along * (unit[at] ?? 0)) / length);
}

/** Adam for a table of which a step touches few rows: the others, and what is remembered of them, stay. */
function adam(table: Matrix, rate: number, steps: number) {
  const { width, cells } = table;
  const [first, second] = [new Float32Array(cells.length), new Float32Array(cells.length)];
  const gradients = new Map<number, Float32Array>();
  let taken = 0;
  return {
    add(row: number, gradient: Float32Array): void {
      const known = gradients.get(row);
      if (known) { for (let at = 0; at < width; at++) known[at] = (known[at] ?? 0) + (gradient[at] ?? 0); }
      else gradients.set(row, gradient.slice());
    },
    take(): void {
      taken++;
      const pace = rate * (1 - (taken - 1) / steps) * Math.sqrt(1 - 0.999 ** taken) / (1 - 0.9 ** taken);
      for (const [row, gradient] of gradients) {
        for (let at = 0, cell = row * width; at < width; at++, cell++) {
          const value = gradient[at] ?? 0;
          const mean = 0.9 * (first[cell] ?? 0) + 0.1 * value;
          const square = 0.999 * (second[cell] ?? 0) + 0.001 * value * value;
          first[cell] = mean;
          second[cell] = square;
          cells[cell] = (cells[cell] ?? 0) - pace * mean / (Math.sqrt(square) + 1e-8);
        }
      }
      gradients.clear();
    },
  };
}

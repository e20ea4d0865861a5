// Rows of numbers, and the arithmetic on them: sums over rows, products, principal axes.
import { EigenvalueDecomposition, Matrix as Square } from "ml-matrix";

export interface Matrix {
  readonly rows: number;
  readonly width: number;
  /** Row after row. */
  readonly cells: Float32Array;
}

export function matrix(rows: number, width: number, cells = new Float32Array(rows * width)): Matrix {
  return { rows, width, cells };
}

export function rowOf({ cells, width }: Matrix, row: number): Float32Array {
  return cells.subarray(row * width, (row + 1) * width);
}

/** Takes the mean row from each row, in place; gives the mean. */
export function centre(of: Matrix): Float32Array {
  const sums = new Float64Array(of.width);
  for (let at = 0; at < of.cells.length; at++) sums[at % of.width] = (sums[at % of.width] ?? 0) + (of.cells[at] ?? 0);
  const mean = Float32Array.from(sums, (sum) => sum / of.rows);
  for (let at = 0; at < of.cells.length; at++) of.cells[at] = (of.cells[at] ?? 0) - (mean[at % of.width] ?? 0);
  return mean;
}

/** Directions in which the rows differ, the strongest first, one a row; its largest number is positive. */
export function principalAxes(of: Matrix, count: number): Matrix {
  const { width, cells } = of;
  const products = new Float64Array(width * width);
  for (let row = 0; row < of.rows; row++) {
    const start = row * width;
    for (let left = 0; left < width; left++) {
      const value = cells[start + left] ?? 0;
      if (value === 0) continue;
      const line = left * width;
      for (let right = left; right < width; right++) {
        products[line + right] = (products[line + right] ?? 0) + value * (cells[start + right] ?? 0);
      }
    }
  }
  const square = Square.zeros(width, width);
  for (let left = 0; left < width; left++) {
    for (let right = left; right < width; right++) {
      const product = products[left * width + right] ?? 0;
      square.set(left, right, product);
      square.set(right, left, product);
    }
  }
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(square, { assumeSymmetric: true });
  const order = realEigenvalues.map((value, at) => ({ value, at })).sort((a, b) => b.value - a.value);
  const axes = matrix(count, width);
  order.slice(0, count).forEach(({ at }, row) => {
    const axis = eigenvectorMatrix.getColumn(at);
    const most = axis.reduce((best, value) => (Math.abs(value) > Math.abs(best) ? value : best), 0);
    rowOf(axes, row).set(axis.map((value) => value * Math.sign(most)));
  });
  return axes;
}

/** Each row's share of each axis. */
export function project(of: Matrix, axes: Matrix): Matrix {
  const projected = matrix(of.rows, axes.rows);
  for (let row = 0; row < of.rows; row++) {
    const [cells, shares] = [rowOf(of, row), rowOf(projected, row)];
    for (let axis = 0; axis < axes.rows; axis++) {
      const start = axis * axes.width;
      let sum = 0;
      for (let at = 0; at < cells.length; at++) sum += (cells[at] ?? 0) * (axes.cells[start + at] ?? 0);
      shares[axis] = sum;
    }
  }
  return projected;
}

/** Makes each row length 1, in place; gives the lengths before. */
export function normalize(of: Matrix): Float32Array {
  const lengths = new Float32Array(of.rows);
  for (let row = 0; row < of.rows; row++) {
    const cells = rowOf(of, row);
    const length = lengthOf(cells) || 1;
    lengths[row] = length;
    for (let at = 0; at < cells.length; at++) cells[at] = (cells[at] ?? 0) / length;
  }
  return lengths;
}

/** A scaled copy. */
export function times(of: Matrix, factor: number): Matrix {
  return { ...of, cells: of.cells.map((cell) => cell * factor) };
}

/** The mean length of the rows that are not all zeros. */
export function meanLength(of: Matrix): number {
  let [sum, count] = [0, 0];
  for (let row = 0; row < of.rows; row++) {
    const length = lengthOf(rowOf(of, row));
    if (length > 0) [sum, count] = [sum + length, count + 1];
  }
  return sum / count;
}

function lengthOf(cells: Float32Array): number {
  let sum = 0;
  for (const cell of cells) sum += cell * cell;
  return Math.sqrt(sum);
}

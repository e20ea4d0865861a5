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
  dots(of, axes, projected);
  return projected;
}

/** out[i][j] = a[i] · b[j]; four at a time, which halves the loads. */
export function dots(a: Matrix, b: Matrix, out: Matrix): void {
  const [x, y, z, width] = [a.cells, b.cells, out.cells, a.width];
  const whole = b.rows - b.rows % 4;
  for (let i = 0; i < a.rows; i++) {
    const start = i * width;
    for (let j = 0; j < whole; j += 4) {
      let [s0, s1, s2, s3] = [0, 0, 0, 0];
      const [j0, j1, j2, j3] = [j * width, (j + 1) * width, (j + 2) * width, (j + 3) * width];
      for (let k = 0; k < width; k++) {
        const value = x[start + k] ?? 0;
        s0 += value * (y[j0 + k] ?? 0);
        s1 += value * (y[j1 + k] ?? 0);
        s2 += value * (y[j2 + k] ?? 0);
        s3 += value * (y[j3 + k] ?? 0);
      }
      const at = i * out.width + j;
      z[at] = s0;
      z[at + 1] = s1;
      z[at + 2] = s2;
      z[at + 3] = s3;
    }
    for (let j = whole; j < b.rows; j++) {
      let sum = 0;
      for (let k = 0; k < width; k++) sum += (x[start + k] ?? 0) * (y[j * width + k] ?? 0);
      z[i * out.width + j] = sum;
    }
  }
}

/** out[i] = the rows of b, each times share[i][j], summed. */
export function blend(share: Matrix, b: Matrix, out: Matrix): void {
  const [x, y, z, width] = [share.cells, b.cells, out.cells, b.width];
  z.fill(0);
  const whole = b.rows - b.rows % 4;
  for (let i = 0; i < share.rows; i++) {
    const start = i * width;
    for (let j = 0; j < b.rows; j += j < whole ? 4 : 1) {
      const at = i * share.width + j;
      if (j < whole) {
        const [g0, g1, g2, g3] = [x[at] ?? 0, x[at + 1] ?? 0, x[at + 2] ?? 0, x[at + 3] ?? 0];
        const [j0, j1, j2, j3] = [j * width, (j + 1) * width, (j + 2) * width, (j + 3) * width];
        for (let k = 0; k < width; k++) {
          z[start + k] = (z[start + k] ?? 0) + g0 * (y[j0 + k] ?? 0) + g1 * (y[j1 + k] ?? 0) + g2 * (y[j2 + k] ?? 0) +
            g3 * (y[j3 + k] ?? 0);
        }
      } else {
        for (let k = 0; k < width; k++) z[start + k] = (z[start + k] ?? 0) + (x[at] ?? 0) * (y[j * width + k] ?? 0);
      }
    }
  }
}

/** Makes each row length 1, in place; gives the lengths before. */
export function normalize(of: Matrix): Float32Array {
  const lengths = new Float32Array(of.rows);
  for (let row = 0; row < of.rows; row++) {
    const cells = rowOf(of, row);
    const length = Math.hypot(...cells) || 1;
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
    const length = Math.hypot(...rowOf(of, row));
    if (length > 0) [sum, count] = [sum + length, count + 1];
  }
  return sum / count;
}

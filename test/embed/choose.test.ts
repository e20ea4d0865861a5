// From settings to an embedder: each name, and each setting that cannot be.
import { test } from "node:test";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { type EmbedderSettings, readConfig } from "../../src/core/config.ts";
import { MemoryError } from "../../src/core/errors.ts";
import { chooseEmbedder } from "../../src/embed/choose.ts";
import { isStopWord } from "../../src/language/terms.ts";
import { MINILM_ABSENT } from "../support/embedders.ts";

const HTTP = { HOLDFAST_EMBEDDER_URL: "http://localhost:11434", HOLDFAST_EMBEDDER_MODEL: "nomic" };

function settings(env: Record<string, string>, embedder?: string): EmbedderSettings | undefined {
  const around = { env: { HOME: "/home/you", ...env }, platform: "linux", cwd: undefined };
  return readConfig({ embedder }, around).embedder;
}

test("chooseEmbedder() opens the embedder that is named, with the word table beside it", async () => {
  const words = await chooseEmbedder({ name: "words" }, isStopWord);
  assert(words?.embedder === words?.table);
  const http = await chooseEmbedder({ name: "http", url: "http://127.0.0.1:1", model: "nomic" }, isStopWord);
  assertEquals([http?.embedder.id, http?.table.id], ["http:nomic", "words-2"]);
  await http?.embedder.close();
});

test("chooseEmbedder() opens minilm without loading its model", { skip: MINILM_ABSENT }, async () => {
  const minilm = await chooseEmbedder({ name: "minilm" }, isStopWord);
  assertEquals([minilm?.embedder.id, minilm?.table.id], ["minilm-1", "words-2"]);
  await minilm?.embedder.close();
});

test("chooseEmbedder() opens nothing for none", async () => {
  assertEquals(await chooseEmbedder({ name: "none" }, isStopWord), undefined);
});

test("readConfig() takes the embedder from the flag, then the environment, then words", () => {
  assertEquals(settings({}), { name: "words" });
  assertEquals(settings({ HOLDFAST_EMBEDDER: "" }), { name: "words" });
  assertEquals(settings({ HOLDFAST_EMBEDDER: "minilm" }), { name: "minilm" });
  assertEquals(settings({ HOLDFAST_EMBEDDER: "minilm", ...HTTP }, "none"), { name: "none" });
  assertEquals(settings(HTTP, "http"), { name: "http", url: "http://localhost:11434", model: "nomic" });
  assertEquals(settings({ ...HTTP, HOLDFAST_EMBEDDER_KEY: " k " }, "http"), {
    name: "http",
    url: "http://localhost:11434",
    model: "nomic",
    key: "k",
  });
});

const REFUSED: readonly (readonly [Record<string, string>, RegExp])[] = [
  [{ HOLDFAST_EMBEDDER: "bert" }, /^Cannot use "bert" as embedder: it is one of words, minilm, http, none$/],
  [{ HOLDFAST_EMBEDDER: "http" }, /HOLDFAST_EMBEDDER_MODEL is not set$/],
  [{ HOLDFAST_EMBEDDER: "http", HOLDFAST_EMBEDDER_MODEL: "m" }, /HOLDFAST_EMBEDDER_URL is not set$/],
  [{ ...HTTP, HOLDFAST_EMBEDDER: "http", HOLDFAST_EMBEDDER_URL: "file:///secret" }, /it is no http or https URL$/],
  [{ ...HTTP, HOLDFAST_EMBEDDER: "http", HOLDFAST_EMBEDDER_URL: "secret" }, /it is no http or https URL$/],
  [
    { ...HTTP, HOLDFAST_EMBEDDER: "http", HOLDFAST_EMBEDDER_URL: "https://a:secret@b.c/v1" },
    /it holds a user name or a password$/,
  ],
  [{ ...HTTP, HOLDFAST_EMBEDDER: "http", HOLDFAST_EMBEDDER_KEY: "secret\nb" }, /it holds a character that no key has$/],
];
for (const [env, sentence] of REFUSED) {
  test(`readConfig() refuses an embedder with ${sentence.source}`, () => {
    const { code, message, hint } = assertThrows(() => settings(env), MemoryError) as MemoryError;
    assertEquals(code, "invalid_argument");
    assert(sentence.test(message), message);
    assert(!`${message} ${hint}`.includes("secret"), message);
  });
}

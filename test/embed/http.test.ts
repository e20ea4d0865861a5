// Endpoints that answer in OpenAI's shape, in Ollama's, and in every wrong way.
import { performance } from "node:perf_hooks";
import { test } from "node:test";
import { assert, assertEquals, assertLess, assertRejects } from "@std/assert";
import { openHttpEmbedder } from "../../src/embed/http.ts";
import { type Endpoint, type Manner, openEndpoint } from "../support/embedders.ts";

const KEY = "sk-hidden-0123456789";

async function withEndpoint(manner: Manner, run: (endpoint: Endpoint) => Promise<void>): Promise<void> {
  const endpoint = await openEndpoint(manner);
  try {
    await run(endpoint);
  } finally {
    await endpoint.close();
  }
}

function open(url: string, key: string | undefined = KEY) {
  return openHttpEmbedder({ name: "http", url, model: "bag", ...(key === undefined ? {} : { key }) });
}

/** Address the user gives, path that is asked. Ollama's port cannot be had in a test; its paths can. */
const PATHS = [
  ["", "/embeddings"],
  ["/v1", "/v1/embeddings"],
  ["/v1/", "/v1/embeddings"],
  ["/v1/embeddings", "/v1/embeddings"],
  ["/deployments/x/embeddings?api-version=1", "/deployments/x/embeddings?api-version=1"],
  ["/api/embed", "/api/embed"],
  ["/proxy/api/embed/", "/proxy/api/embed"],
] as const;

for (const [given, asked] of PATHS) {
  test(`openHttpEmbedder() asks ${asked} where the address is "${given}"`, () =>
    withEndpoint(asked.endsWith("/embed") ? "ollama" : "openai", async (endpoint) => {
      await open(`${endpoint.url}${given}`).embed(["a port"]);
      assertEquals(endpoint.asked, [
        { path: asked, authorization: `Bearer ${KEY}`, model: "bag", input: ["a port"] },
      ]);
    }));
}

test("openHttpEmbedder() sends no authorization without a key", () =>
  withEndpoint("openai", async (endpoint) => {
    await openHttpEmbedder({ name: "http", url: endpoint.url, model: "bag" }).embed(["a port"]);
    assertEquals(endpoint.asked[0]?.authorization, undefined);
  }));

test("openHttpEmbedder() contacts nobody until there is a text, and knows no width before the answer", () =>
  withEndpoint("openai", async (endpoint) => {
    const embedder = open(endpoint.url);
    await embedder.embed([]);
    assertEquals([endpoint.asked.length, embedder.dimensions], [0, undefined]);
    await embedder.embed(["a port"]);
    assertEquals([endpoint.asked.length, embedder.dimensions], [1, 64]);
  }));

test("openHttpEmbedder() sends at most 32 texts a request", () =>
  withEndpoint("ollama", async (endpoint) => {
    await open(`${endpoint.url}/api/embed`).embed(Array.from({ length: 70 }, (_, at) => `text ${at}`));
    assertEquals(endpoint.asked.map(({ input }) => input.length), [32, 32, 6]);
  }));

const WRONG: readonly (readonly [Manner, string])[] = [
  ["error", "the endpoint answered 500"],
  ["locked", "the endpoint refused the key (401)"],
  ["html", "the endpoint's answer is not JSON"],
  ["cut", "the endpoint's answer is not JSON"],
  ["redirect", "the endpoint answered 307"],
  ["strange", "the endpoint's answer holds no vectors"],
  ["null", "the endpoint's answer holds no vectors"],
  ["nan", "the endpoint gave a vector with something that is no number"],
  ["huge", "the endpoint gave a vector with something that is no number"],
  ["empty", "the endpoint gave a vector of 0 numbers"],
  ["ragged", "the endpoint gave a vector of 65 numbers, not 64"],
  ["fewer", "the endpoint gave 0 vectors for 2 texts"],
];
for (const [manner, sentence] of WRONG) {
  test(`openHttpEmbedder() says that ${sentence}, once, and nothing else (${manner})`, () =>
    withEndpoint(manner, async (endpoint) => {
      const { message } = await assertRejects(
        () => open(endpoint.url).embed(["one port", "two ports"]),
        Error,
      ) as Error;
      assert(message.startsWith(sentence), message);
      assert(!/echo|sk-|127\.0\.0\.1|\n/.test(message), message);
      assertEquals(endpoint.asked.length, 1);
    }));
}

test("openHttpEmbedder() refuses a width other than the first", () =>
  withEndpoint("openai", async (endpoint) => {
    const embedder = open(endpoint.url);
    await embedder.embed(["a port"]);
    endpoint.manner = "wide";
    await assertRejects(() => embedder.embed(["a port"]), Error, "a vector of 96 numbers, not 64");
    endpoint.manner = "openai";
    assertEquals((await embedder.embed(["a port"]))[0]?.length, 64);
  }));

test("openHttpEmbedder() says that nobody is there", async () => {
  const endpoint = await openEndpoint();
  const embedder = open(endpoint.url);
  await endpoint.close();
  await assertRejects(() => embedder.embed(["a port"]), Error, "the endpoint cannot be reached");
});

for (const manner of ["stall", "trickle"] as const) {
  test(`openHttpEmbedder() waits 2 s for one text, then leaves the endpoint alone for a while (${manner})`, () =>
    withEndpoint(manner, async (endpoint) => {
      const embedder = open(endpoint.url);
      const started = performance.now();
      await assertRejects(() => embedder.embed(["a port"]), Error, "did not answer within 2000 ms");
      const waited = performance.now();
      await assertRejects(() => embedder.embed(["a port"]), Error, "stalled a moment ago");
      assertLess(waited - started, 4000);
      assertLess(performance.now() - waited, 500);
      assertEquals(endpoint.asked.length, 1);
    }));
}

test("openHttpEmbedder() gives zeros for the one text of a batch that the model refuses", () =>
  withEndpoint("picky", async (endpoint) => {
    const embedder = open(endpoint.url);
    const made = await embedder.embed(["a port", "an unspeakable text", "a database"]);
    assertEquals(made.map((vector) => vector.some((value) => value !== 0)), [true, false, true]);
    assertEquals(made.map(({ length }) => length), [64, 64, 64]);
    await assertRejects(() => embedder.embed(["unspeakable", "unspeakable too"]), Error, "the endpoint answered 400");
  }));

test("openHttpEmbedder() sends what JSON can hold, and not the end of a very long text", () =>
  withEndpoint("openai", async (endpoint) => {
    await open(endpoint.url).embed(["\ud83d half", "x".repeat(100_000)]);
    assertEquals(endpoint.asked[0]?.input.map(({ length }) => length), [6, 8000]);
  }));

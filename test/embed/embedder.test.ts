// The shared suite: what holds for every embedder, whatever is behind it.
import { after, before, test } from "node:test";
import { assert, assertEquals, assertGreater, assertLess, assertRejects } from "@std/assert";
import { type Embedder, quantize, unit } from "../../src/embed/embedder.ts";
import { openHttpEmbedder } from "../../src/embed/http.ts";
import { openMiniLm } from "../../src/embed/minilm.ts";
import { loadWordTable } from "../../src/embed/words.ts";
import { isStopWord } from "../../src/language/terms.ts";
import { awake, type Endpoint, MINILM_ABSENT, openEndpoint } from "../support/embedders.ts";

const FACT = "The staging database listens on port 6543";
const QUESTION = "Which port does the staging database use?";
const OTHER = "Anna walks her dog before breakfast";

let endpoint: Endpoint;
before(async () => endpoint = await openEndpoint());
after(() => endpoint.close());

interface Row {
  readonly name: string;
  readonly id: string;
  readonly dimensions: number;
  readonly skip: string | false;
  readonly open: () => Embedder | Promise<Embedder>;
}

const ROWS: readonly Row[] = [
  { name: "words", id: "words-2", dimensions: 256, skip: false, open: () => loadWordTable(isStopWord) },
  { name: "minilm", id: "minilm-1", dimensions: 384, skip: MINILM_ABSENT, open: openMiniLm },
  {
    name: "http",
    id: "http:bag",
    dimensions: 64,
    skip: false,
    open: () => openHttpEmbedder({ name: "http", url: endpoint.url, model: "bag" }),
  },
];

for (const { name, id, dimensions, skip, open } of ROWS) {
  let opened: Promise<Embedder> | undefined;
  const embedder = () => opened ??= Promise.resolve(open());
  const check = (what: string, run: (embedder: Embedder) => Promise<void>) =>
    test(`${name} ${what}`, { skip }, () => awake(async () => run(await embedder())));

  check("gives vectors of its width and of length 1, the same for the same text", async (embedder) => {
    const [first, second] = [await embedder.embed([FACT]), await embedder.embed([FACT])];
    assertEquals([embedder.id, embedder.dimensions], [id, dimensions]);
    assertEquals(first, second);
    assertEquals(first[0]?.length, dimensions);
    assertLess(Math.abs(norm(first[0]) - 1), 1e-5);
  });
  check("gives one vector a text, in order, alone or in a batch", async (embedder) => {
    const texts = Array.from({ length: 12 }, (_, at) => `fact number ${at} of twelve: ${at % 2 ? FACT : OTHER}`);
    const made = await embedder.embed(texts);
    assertEquals(made.length, texts.length);
    for (const at of [0, 5, 11]) assertEquals((await embedder.embed([texts[at] ?? ""]))[0], made[at]);
    assertEquals(await embedder.embed([]), []);
  });
  check("puts a question nearer to its answer than to another fact", async (embedder) => {
    const [question, fact, other] = await embedder.embed([QUESTION, FACT, OTHER]);
    assertGreater(cosine(question, fact), cosine(question, other) + 0.2);
  });
  check("takes any text: none, half characters, any script, very long", async (embedder) => {
    const made = await embedder.embed(["", "\ud83d", "東京の天気", "word ".repeat(100_000), "\u0000"]);
    for (const vector of made) {
      assertEquals(vector.length, dimensions);
      assert(vector.every(Number.isFinite));
      assert(Math.abs(norm(vector) - 1) < 1e-5 || norm(vector) === 0, `length ${norm(vector)}`);
    }
  });
  check("rejects what is under way when it is closed, and what comes after", async (embedder) => {
    if (name === "words") return await embedder.close(); // answers at once, and has nothing to close
    const under = assertRejects(() => embedder.embed(Array(30).fill(FACT)), Error, "closed");
    await embedder.close();
    await under;
    await assertRejects(() => embedder.embed([FACT]), Error, "closed");
  });
}

test("unit() makes a vector length 1 and leaves zeros alone", () => {
  assertEquals([...unit(Float32Array.of(0, 4))], [0, 1]);
  assertEquals([...unit(Float32Array.of(0, 0))], [0, 0]);
});

test("quantize() keeps the direction", () => {
  assertEquals([...quantize(Float32Array.of(0.5, -1, 0))], [64, -127, 0]);
  assertEquals([...quantize(Float32Array.of(0, 0))], [0, 0]);
});

function norm(vector: Float32Array | undefined): number {
  return Math.hypot(...vector ?? []);
}

function cosine(a: Float32Array = new Float32Array(), b: Float32Array = a): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}

// Vectors from an endpoint the user named: OpenAI's shape or Ollama's, with deadlines, and no trust in what comes back.
import type { EmbedderSettings } from "../core/config.ts";
import { isObject } from "../core/json.ts";
import { type Embedder, unit } from "./embedder.ts";

type HttpSettings = Extract<EmbedderSettings, { readonly name: "http" }>;

/** Texts in one request. */
const MOST = 32;
/** Characters of a text that are sent, about 2000 tokens: many models refuse longer ones. */
const SENT = 8000;
/** Deadlines for one text and for several, in milliseconds. */
const SINGLE = 2000;
const BATCH = 30_000;
/** After a stall the endpoint is left alone this long, so that not every search waits for it. Milliseconds. */
const REST = 15_000;
/** Statuses of a request whose texts are at fault. */
const REFUSED_TEXTS = new Set([400, 413, 422]);

/** A sentence for the operator: neither the key, nor the URL, nor a word of the answer. */
class EndpointError extends Error {
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/** Contacts nobody until there is a text. */
export function openHttpEmbedder({ url, model, key }: HttpSettings): Embedder {
  const target = endpointOf(url);
  const headers = {
    "content-type": "application/json",
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  };
  const closing = new AbortController();
  let width: number | undefined;
  let restedUntil = 0;

  const ask = async (input: readonly string[]): Promise<readonly Float32Array[]> => {
    if (closing.signal.aborted) throw new EndpointError("it was closed");
    if (Date.now() < restedUntil) throw new EndpointError("the endpoint stalled a moment ago");
    const limit = input.length === 1 ? SINGLE : BATCH;
    const deadline = AbortSignal.timeout(limit);
    const request = {
      method: "POST",
      headers,
      body: JSON.stringify({ model, input: input.map((text) => text.slice(0, SENT).toWellFormed()) }),
      redirect: "manual",
      signal: AbortSignal.any([deadline, closing.signal]),
    } as const;
    const vectors = vectorsOf(
      await post(target, request).catch((thrown) => {
        if (closing.signal.aborted) throw new EndpointError("it was closed");
        if (!deadline.aborted) throw thrown;
        restedUntil = Date.now() + REST;
        throw new EndpointError(`the endpoint did not answer within ${limit} ms`);
      }),
    );
    if (vectors.length !== input.length) {
      throw new EndpointError(`the endpoint gave ${vectors.length} vectors for ${input.length} texts`);
    }
    width = widthOf(vectors, width);
    return vectors.map(unit);
  };
  return {
    id: `http:${model}`,
    get dimensions() {
      return width;
    },
    async embed(texts) {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += MOST) {
        const some = texts.slice(at, at + MOST);
        vectors.push(...await ask(some).catch((thrown) => oneByOne(some, thrown, ask)));
      }
      return vectors;
    },
    close() {
      closing.abort();
      return Promise.resolve();
    },
  };
}

/**
 * One text that the model cannot take must not keep the others of its batch from theirs: it has a vector of zeros.
 * Where it is alone, or all are refused, the fault is not the text's.
 */
async function oneByOne(
  texts: readonly string[],
  thrown: unknown,
  ask: (texts: readonly string[]) => Promise<readonly Float32Array[]>,
): Promise<readonly Float32Array[]> {
  if (texts.length === 1 || !refusesTexts(thrown)) throw thrown;
  const made: (Float32Array | undefined)[] = [];
  for (const text of texts) {
    made.push(
      await ask([text]).then(([vector]) => vector, (again) => {
        if (!refusesTexts(again)) throw again;
        return undefined;
      }),
    );
  }
  const wide = made.find((vector) => vector !== undefined)?.length;
  if (wide === undefined) throw thrown;
  return made.map((vector) => vector ?? new Float32Array(wide));
}

function refusesTexts(thrown: unknown): boolean {
  return thrown instanceof EndpointError && thrown.status !== undefined && REFUSED_TEXTS.has(thrown.status);
}

/** Ollama's by its path, or by its port where there is no path; any other is OpenAI's. Both take the same request. */
function endpointOf(address: string): URL {
  const url = new URL(address);
  const path = url.pathname.replace(/\/+$/, "");
  const ollama = path.endsWith("/api/embed") || (url.port === "11434" && ["", "/api"].includes(path));
  if (ollama) url.pathname = `${path.replace(/\/api(\/embed)?$/, "")}/api/embed`;
  else url.pathname = path.endsWith("/embeddings") ? path : `${path}/embeddings`;
  return url;
}

/** The answer as JSON. A redirect is not followed: it may lead to someone the user did not name. */
async function post(url: URL, request: RequestInit): Promise<unknown> {
  const response = await fetch(url, request).catch(() => {
    throw new EndpointError("the endpoint cannot be reached");
  });
  const { ok, status } = response;
  if (!ok) {
    await response.body?.cancel();
    throw new EndpointError(
      status === 401 || status === 403 ? `the endpoint refused the key (${status})` : `the endpoint answered ${status}`,
      status,
    );
  }
  return await response.json().catch(() => {
    throw new EndpointError("the endpoint's answer is not JSON");
  });
}

/** `data[].embedding` as OpenAI has it, in the order of `index`, or Ollama's `embeddings[]`. */
function vectorsOf(answer: unknown): readonly Float32Array[] {
  const { data, embeddings }: Record<string, unknown> = isObject(answer) ? answer : {};
  if (Array.isArray(embeddings)) return embeddings.map(vectorOf);
  if (!Array.isArray(data)) throw new EndpointError("the endpoint's answer holds no vectors");
  return data.map((item, at) => ({ ...(isObject(item) ? item : {}), at }) as OpenAiItem)
    .sort((a, b) => (a.index ?? a.at) - (b.index ?? b.at))
    .map(({ embedding }) => vectorOf(embedding));
}

/** The one width that all have, and that was known before. */
function widthOf(vectors: readonly Float32Array[], known: number | undefined): number {
  const width = known ?? vectors[0]?.length ?? 0;
  const other = vectors.find(({ length }) => length !== width || length === 0);
  if (other === undefined) return width;
  throw new EndpointError(`the endpoint gave a vector of ${other.length} numbers, not ${width || "some"}`);
}

/** What OpenAI's `data` should hold: `embedding` is looked at before use. */
interface OpenAiItem {
  readonly at: number;
  readonly index?: number;
  readonly embedding?: unknown;
}

function vectorOf(numbers: unknown): Float32Array {
  if (!Array.isArray(numbers)) throw new EndpointError("the endpoint's answer holds no vectors");
  const vector = Float32Array.from(numbers, (value) => (typeof value === "number" ? value : NaN));
  if (vector.every(Number.isFinite)) return vector;
  throw new EndpointError("the endpoint gave a vector with something that is no number");
}

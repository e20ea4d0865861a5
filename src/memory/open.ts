// From settings to a working memory: the one place where the parts are put together.
import type { Config } from "../core/config.ts";
import { chooseEmbedder } from "../embed/choose.ts";
import { isStopWord, loadTerms } from "../language/terms.ts";
import { openStore } from "../store/store.ts";
import { checkpointing } from "./checkpoint.ts";
import { openMeaning } from "./meaning.ts";
import type { Memory, SearchRequest } from "./memory.ts";
import { reflections } from "./reflect.ts";
import { search, type SearchParts } from "./search.ts";

/** What a test or a benchmark may set: the clock, and what each ranking signal counts. */
export interface Tuning {
  readonly now?: () => number;
  readonly weights?: SearchParts["weights"];
}

export async function openMemory(config: Config, { now = Date.now, weights }: Tuning = {}): Promise<Memory> {
  const [terms, embedding] = await Promise.all([
    loadTerms(),
    chooseEmbedder(config.embedder ?? { name: "words" }, isStopWord),
  ]);
  const { facts, candidates, vectors, checkpoints, graph, close } = await openStore(config, embedding?.embedder);
  const meaning = embedding && vectors && openMeaning({ ...embedding, vectors });
  const { secrets } = config;
  const find = (request: SearchRequest) => search({ facts, candidates, terms, meaning, weights, secrets }, request);
  return {
    search: find,
    ...reflections({ facts, graph, terms, meaning, now, secrets, search: find }),
    ...checkpointing({ checkpoints, now, secrets }),
    async close() {
      await meaning?.close();
      await close();
    },
  };
}

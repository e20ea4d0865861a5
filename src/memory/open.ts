// From settings to a working memory: the one place where the parts are put together.
import type { Config } from "../core/config.ts";
import { loadTerms } from "../language/terms.ts";
import { openStore } from "../store/store.ts";
import { checkpointing } from "./checkpoint.ts";
import type { Memory, SearchRequest } from "./memory.ts";
import { reflections } from "./reflect.ts";
import { search } from "./search.ts";

export async function openMemory(config: Config, now: () => number = Date.now): Promise<Memory> {
  const terms = await loadTerms();
  const { facts, index, checkpoints, graph, close } = openStore(config);
  const find = (request: SearchRequest) => search({ facts, index, terms }, request);
  return {
    search: find,
    ...reflections({ facts, graph, terms, now, search: find }),
    ...checkpointing({ checkpoints, now }),
    close,
  };
}

// The table of embedders: what each setting opens.
import type { EmbedderSettings } from "../core/config.ts";
import type { Embedder } from "./embedder.ts";
import { loadWordTable, type WordTable } from "./words.ts";

export interface Embedding {
  /** Loaded whatever the embedder: it also tells how alike two words are. */
  readonly table: WordTable;
  readonly embedder: Embedder;
}

type Row<T extends EmbedderSettings> = ((settings: T, table: WordTable) => Promise<Embedder>) | undefined;

/** Without a row's function, facts are found by words alone and no table is loaded. */
const EMBEDDERS: { readonly [Name in EmbedderSettings["name"]]: Row<Extract<EmbedderSettings, { name: Name }>> } = {
  words: (_, table) => Promise.resolve(table),
  minilm: async () => await (await import("./minilm.ts")).openMiniLm(),
  http: async (settings) => (await import("./http.ts")).openHttpEmbedder(settings),
  none: undefined,
};

/** @throws MemoryError invalid_argument where the embedder's packages are not installed. */
export async function chooseEmbedder(
  settings: EmbedderSettings,
  isStop: (word: string) => boolean,
): Promise<Embedding | undefined> {
  const open = EMBEDDERS[settings.name] as Row<EmbedderSettings>; // the row of a name takes the settings of that name
  if (!open) return undefined;
  const table = await loadWordTable(isStop);
  return { table, embedder: await open(settings, table) };
}

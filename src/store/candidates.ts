// The facts that may answer a question, by their words and by their meaning, in one read once the caches are warm.
import type { Database } from "./database.ts";
import {
  type Candidate,
  type Corpus,
  decodeFound,
  findStatements,
  nearbyStatement,
  type Query,
  type Scope,
} from "./terms_index.ts";
import type { Vectors } from "./vectors.ts";

export interface CandidateQuery extends Query {
  /** The question's vector, of length 1; undefined to go by words alone. */
  readonly vector?: Float32Array | undefined;
}

export interface Candidates {
  find(query: CandidateQuery): Promise<{
    readonly corpora: readonly Corpus[];
    readonly candidates: readonly (Candidate & { readonly cosine?: number })[];
  }>;
  /** For each unknown term, terms of the agents' dictionary that look like it, and how many facts hold each. */
  nearby(agentIds: readonly string[], unknown: readonly string[]): Promise<ReadonlyMap<string, readonly Nearby[]>>;
}

export interface Nearby {
  readonly term: string;
  readonly facts: number;
}

/** Facts fetched for their meaning. */
const NEAR = 20;

export function openCandidates(database: Database, vectors: Vectors | undefined): Candidates {
  return {
    async find({ vector, ...query }) {
      const { agentIds } = query.scope;
      if (!vectors || !vector) return decodeFound(await database.read(findStatements(query)));
      const near = vectors.nearest(agentIds, vector, NEAR);
      const news = vectors.news(agentIds);
      const results = await database.read([...findStatements({ ...query, also: near }), ...news.statements]);
      const found = decodeFound(results.slice(0, 3));
      const { fresh, more: older } = vectors.apply(news, results.slice(3));
      for (let more = older; more;) {
        const next = vectors.news(agentIds);
        ({ more } = vectors.apply(next, await database.read(next.statements)));
      }
      const unseen = fresh
        ? vectors.nearest(agentIds, vector, NEAR).filter((id) =>
          !found.candidates.some(({ sequence }) => sequence === id)
        )
        : [];
      const late = unseen.length > 0 ? await byId(database, query.scope, unseen) : [];
      const candidates = [...found.candidates, ...late].map((candidate) => {
        const cosine = vectors.cosine(candidate.sequence, vector);
        return cosine === undefined ? candidate : { ...candidate, cosine };
      });
      return { corpora: found.corpora, candidates };
    },
    async nearby(agentIds, unknown) {
      const [rows = []] = await database.read([nearbyStatement(agentIds, unknown)]);
      const held = rows.map((row) => ({
        unknown: String(row["unknown"]),
        term: String(row["term"]),
        facts: Number(row["facts"]),
      }));
      return Map.groupBy(held, (one) => one.unknown);
    },
  };
}

async function byId(database: Database, scope: Scope, also: readonly number[]): Promise<readonly Candidate[]> {
  return decodeFound(await database.read(findStatements({ scope, terms: [], limit: 0, also }))).candidates;
}

// Why a search found nothing, in one line.
import { SHARED } from "../core/model.ts";
import { isBlank, quoted } from "../core/text.ts";
import { distance } from "../language/distance.ts";
import type { Facts } from "../store/facts.ts";
import type { Corpus } from "../store/terms_index.ts";
import type { SearchRequest } from "./memory.ts";

export interface EmptinessParts {
  readonly facts: Facts;
}

export async function emptiness(
  { facts }: EmptinessParts,
  { agentId, query }: SearchRequest,
  corpora: readonly Corpus[],
): Promise<string> {
  const held = corpora.reduce((sum, corpus) => sum + corpus.facts, 0);
  const own = corpora.find((corpus) => corpus.agentId === agentId)?.facts ?? 0;
  if (isBlank(query.replace(/[\p{P}\p{S}]/gu, ""))) return "The query has no word to look for";
  if (own > 0) return `None relevant among ${held}`;
  const near = nearest(agentId, await facts.agents());
  if (near) return `No memories yet for this agent; did you mean ${quoted(near.agentId)}, which has ${near.facts}?`;
  return held > 0 ? `None relevant among ${held}` : "No memories yet for this agent";
}

/** The agent whose name differs least in spelling, if it is close enough for a slip. */
function nearest(agentId: string, agents: Awaited<ReturnType<Facts["agents"]>>) {
  const plain = (name: string) => name.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  const asked = plain(agentId);
  const limit = asked.length < 5 ? 1 : 2;
  return agents
    .filter((agent) => agent.agentId !== SHARED)
    .map((agent) => ({ ...agent, apart: distance(asked, plain(agent.agentId), limit) }))
    .filter(({ apart }) => apart <= limit)
    .sort((a, b) => a.apart - b.apart || b.facts - a.facts)[0];
}

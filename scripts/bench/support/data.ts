// The evaluation formats: LoCoMo conversations and standing facts, as stores to fill and questions to ask.
import { readFileSync } from "node:fs";

export interface Told {
  readonly id: string;
  readonly agentId: string;
  readonly text: string;
  readonly session: string;
}

export interface Asked {
  readonly agentId: string;
  readonly query: string;
  readonly gold: ReadonlySet<string>;
  readonly kind: string;
}

export interface Exam {
  readonly format: "locomo" | "standing";
  readonly told: readonly Told[];
  readonly updates: readonly { readonly agentId: string; readonly old: Told; readonly new: Told }[];
  readonly asked: readonly Asked[];
}

interface Conversation {
  readonly sample_id: string;
  readonly conversation: Readonly<Record<string, unknown>>;
  readonly qa: readonly { question: string; evidence?: string[]; category: number }[];
}

interface Turn {
  readonly speaker: string;
  readonly dia_id: string;
  readonly text?: string;
  readonly blip_caption?: string;
}

interface Standing {
  readonly agents: Readonly<Record<string, readonly { id: string; text: string; session: string }[]>>;
  readonly queries: readonly { agent_id: string; query: string; gold: string[]; kind: string }[];
  readonly updates: readonly { agent_id: string; old: string; new: string }[];
}

/** Reads a file of either format. */
export function readExam(path: string): Exam {
  const data: unknown = JSON.parse(readFileSync(path, "utf8"));
  return Array.isArray(data) ? locomo(data as Conversation[]) : standing(data as Standing); // told apart by their root
}

/** Each turn is a fact; the evidence turns of a question are its gold. */
function locomo(conversations: readonly Conversation[]): Exam {
  const told: Told[] = [];
  const asked: Asked[] = [];
  for (const { sample_id: agentId, conversation, qa } of conversations) {
    const sessions = Object.keys(conversation).filter((key) => /^session_\d+$/.test(key));
    sessions.sort((a, b) => Number(a.slice(8)) - Number(b.slice(8)));
    for (const session of sessions) {
      for (const turn of conversation[session] as Turn[]) {
        const caption = turn.blip_caption ? ` [image: ${turn.blip_caption}]` : "";
        const text = `${turn.speaker}: ${turn.text ?? ""}${caption}`;
        told.push({ id: `${agentId}/${turn.dia_id}`, agentId, text, session: `${agentId}-${session}` });
      }
    }
    const known = new Set(told.map(({ id }) => id));
    for (const { question, evidence = [], category } of qa) {
      const turns = [...evidence.join(" ").matchAll(/D:?(\d+):0*(\d+)/g)].map(([, a, b]) => `${agentId}/D${a}:${b}`);
      const gold = new Set(turns.filter((id) => known.has(id)));
      if (gold.size > 0) asked.push({ agentId, query: question, gold, kind: String(category) });
    }
  }
  return { format: "locomo", told, updates: [], asked };
}

function standing({ agents, queries, updates }: Standing): Exam {
  const all = Object.entries(agents).flatMap(([agentId, facts]) =>
    facts.map(({ id, text, session }) => ({ id: `${agentId}/${id}`, agentId, text, session: `${agentId}-${session}` }))
  );
  const find = (agentId: string, id: string) => {
    const found = all.find((fact) => fact.id === `${agentId}/${id}`);
    if (!found) throw new Error(`The file names fact ${id} of ${agentId}, and has none`);
    return found;
  };
  const changes = updates.map(({ agent_id: agentId, old, new: fresh }) => ({
    agentId,
    old: find(agentId, old),
    new: find(agentId, fresh),
  }));
  const later = new Set(changes.map((change) => change.new.id));
  const asked = queries.map(({ agent_id: agentId, query, gold, kind }) => ({
    agentId,
    query,
    kind,
    gold: new Set(gold.map((id) => `${agentId}/${id}`)),
  }));
  return {
    format: "standing",
    told: all.filter(({ id }) => !later.has(id)),
    updates: changes,
    asked: [...asked, ...asked.flatMap((one) => astray(one, Object.keys(agents)))],
  };
}

/** A question put to every other agent, none of which was told what answers it. */
function astray({ agentId, query }: Asked, agents: readonly string[]): readonly Asked[] {
  return agents.filter((other) => other !== agentId)
    .map((other) => ({ agentId: other, query, gold: new Set(), kind: "astray" }));
}

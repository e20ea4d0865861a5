// Correcting memory: add, update, forget, pin and link, and a hint when nothing matches.
import { MemoryError } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import { clean, quoted } from "../core/text.ts";
import type { Terms } from "../language/terms.ts";
import type { Facts, NewFact } from "../store/facts.ts";
import type { Graph } from "../store/graph.ts";
import type { Meaning } from "./meaning.ts";
import type { AddRequest, LinkRequest, Memory, SearchRequest, SearchResult, TargetRequest } from "./memory.ts";
import { type Policy, textIn, textOut } from "./secrets.ts";

export interface ReflectParts {
  readonly facts: Facts;
  readonly graph: Graph;
  readonly terms: Terms;
  readonly meaning: Meaning | undefined;
  readonly now: () => number;
  readonly secrets?: Policy;
  readonly search: (request: SearchRequest) => Promise<SearchResult>;
}

export function reflections(parts: ReflectParts): Pick<Memory, "add" | "update" | "forget" | "pin" | "link"> {
  const { facts, graph, now, secrets } = parts;
  const named = (target: string) => clean(textOut(target, secrets));
  return {
    async add(request) {
      const { text, ...replaced } = textIn(request.text, "store the memory", secrets);
      const added = await facts.add(await newFact(parts, { ...request, text }));
      parts.meaning?.catchUp();
      return { ...added, ...replaced };
    },
    async update(request) {
      const { text, ...replaced } = textIn(request.text, "update", secrets);
      const done = await facts.update(await newFact(parts, { ...request, text }), named(request.target));
      parts.meaning?.catchUp();
      return done.retired.length > 0 ? { ...done, ...replaced } : await notLive(parts, request, named(request.target));
    },
    async forget({ agentId, target, operation }) {
      const retired = await facts.retire({ agentId, target: named(target), now: now(), operation });
      return retired.length > 0 ? { retired } : await noMatch(parts, "forget", { agentId, target });
    },
    async pin({ agentId, target, pinned }) {
      const factIds = await facts.pin({ agentId, target: named(target), pinned });
      return factIds.length > 0 ? { factIds } : await noMatch(parts, pinned ? "pin" : "unpin", { agentId, target });
    },
    link: ({ agentId, source, relation, target }: LinkRequest) =>
      graph.link({ agentId, source: named(source), relation: clean(relation), target: named(target), now: now() }),
  };
}

async function newFact(
  { terms, meaning, now }: ReflectParts,
  { agentId, text, sessionId, confidence, toldAt, operation }: AddRequest,
): Promise<NewFact> {
  const kept = clean(text);
  return {
    factId: operation ?? newId(),
    agentId,
    session: clean(sessionId),
    text: kept,
    terms: terms(kept),
    confidence: confidence ?? "inferred",
    told: toldAt,
    now: now(),
    vector: await meaning?.ofFact(kept),
  };
}

/** Another may have retired it a moment ago: then the caller must know what holds now before writing over it. */
async function notLive(parts: ReflectParts, request: TargetRequest, named: string): Promise<never> {
  const fate = await parts.facts.fate({ agentId: request.agentId, target: named });
  if (!fate) return noMatch(parts, "update", request);
  const message = `Cannot update: the memory of agent ${quoted(request.agentId, 256)} that matches ${
    quoted(request.target)
  }`;
  if (!fate.heir) {
    throw new MemoryError("conflict", `${message} was forgotten`, {
      hint: "Add the new text as a fact of its own if it still holds",
    });
  }
  const { text, factId } = fate.heir;
  throw new MemoryError("conflict", `${message} was replaced`, {
    hint: `It now says ${quoted(text, 400)} (id ${factId}); update that one if it is still wrong`,
  });
}

async function noMatch({ search }: ReflectParts, action: string, { agentId, target }: TargetRequest): Promise<never> {
  const { hits: [closest] } = await search({ agentId, query: target, topK: 1, includeShared: false });
  throw new MemoryError(
    "no_match",
    `Cannot ${action}: no memory of agent ${quoted(agentId, 256)} matches ${quoted(target)}`,
    {
      hint: closest
        ? `The closest is ${quoted(closest.text, 400)} (id ${closest.factId}); give its exact text or its id`
        : "Search first, then give the fact's exact text or its id",
    },
  );
}

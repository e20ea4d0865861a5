// `holdfast list`, `show`, `history` and `undo`: facts as a person reads them.
import { agentIn } from "../core/agent.ts";
import { readConfig } from "../core/config.ts";
import { MemoryError } from "../core/errors.ts";
import { CONFIDENCES, type Fact } from "../core/model.ts";
import { indentRest } from "../core/text.ts";
import { formatDate, formatTime, parseTime } from "../core/time.ts";
import type { Reader } from "../memory/reader.ts";
import { type Input, settingsIn } from "./command.ts";
import { print, printJson } from "./output.ts";

type FlagValues = Input["flags"];

export async function list({ flags }: Input): Promise<number> {
  return await withReader(flags, async (reader) => {
    const agentIds = flags["all"] === true ? (await reader.agents()).map(({ agentId }) => agentId) : [agentOf(flags)];
    const offset = count("offset", flags["offset"], 0);
    const { facts, total } = await reader.list({
      agentIds,
      offset,
      limit: count("limit", flags["limit"], 50),
      retired: flags["retired"] === true,
      pinned: typeof flags["pinned"] === "boolean" ? flags["pinned"] : undefined,
      confidence: confidence(flags["confidence"]),
      since: time("since", flags["since"]),
      until: time("until", flags["until"]),
      holding: flags["holding"]?.toString(),
    });
    if (flags["json"] === true) return printJson({ agent_ids: agentIds, total, offset, facts: facts.map(wire) });
    const whose = flags["all"] === true ? "every agent" : `agent "${agentIds[0]}"`;
    print(total === 0 ? `No facts of ${whose}.` : `${facts.length} of ${total} facts of ${whose}:\n`);
    for (const fact of facts) print(line(fact, flags["all"] === true));
    if (offset + facts.length < total) print(`\nMore: --offset ${offset + facts.length}`);
  });
}

export async function show(input: Input): Promise<number> {
  return await withChain(input, (chain, factId) => {
    const fact = chain.find((one) => one.factId === factId);
    if (!fact) return;
    if (input.flags["json"] === true) return printJson(wire(fact));
    print([
      fact.text,
      "",
      `id          ${fact.factId}`,
      `agent       ${fact.agentId}`,
      `told        ${formatTime(fact.createdAt)}`,
      `confidence  ${fact.confidence}${fact.pinned ? ", pinned" : ""}`,
      `held        ${fate(fact)}`,
      ...(chain.length > 1 ? ["", `${chain.length - 1} more in its history: holdfast history ${factId}`] : []),
    ].join("\n"));
  });
}

export async function history(input: Input): Promise<number> {
  return await withChain(input, (chain) => {
    if (input.flags["json"] === true) return printJson({ facts: chain.map(wire) });
    for (const fact of chain) print(line(fact, false));
  });
}

export async function takeBack({ flags }: Input): Promise<number> {
  const [{ openMemory }, { undo }] = await Promise.all([import("../memory/open.ts"), import("../memory/undo.ts")]);
  return await withReader(flags, async (reader) => {
    const memory = await openMemory(readConfig(settingsIn(flags)));
    try {
      const { text, factId, instead } = await undo(memory, reader, { agentId: agentOf(flags), sessionId: "undo" });
      if (flags["json"] === true) {
        return printJson({ agent_id: agentOf(flags), fact_id: factId, text, retired: instead ? [instead] : [] });
      }
      const gone = instead === undefined ? "" : `, in place of ${instead}`;
      print(`Held again for agent "${agentOf(flags)}" (id ${factId}${gone}): ${indentRest(text)}`);
    } finally {
      await memory.close();
    }
  });
}

async function withReader(flags: FlagValues, use: (reader: Reader) => Promise<void>): Promise<number> {
  const { openReader } = await import("../memory/reader.ts");
  const reader = await openReader(readConfig(settingsIn(flags)));
  try {
    await use(reader);
    return 0;
  } finally {
    await reader.close();
  }
}

async function withChain(
  { flags, positionals }: Input,
  use: (chain: readonly Fact[], factId: string) => void,
): Promise<number> {
  const [factId] = positionals;
  if (factId === undefined) {
    throw new MemoryError("invalid_argument", "The fact's id must be given", { hint: "holdfast list shows ids" });
  }
  return await withReader(flags, async (reader) => {
    const chain = await reader.history(factId);
    if (chain.length > 0) return use(chain, factId);
    throw new MemoryError("no_match", `No fact has the id "${factId.slice(0, 50)}"`, {
      hint: "holdfast list shows ids",
    });
  });
}

function agentOf(flags: FlagValues): string {
  return flags["agent-id"]?.toString() ?? agentIn().agentId;
}

function line(fact: Fact, withAgent: boolean): string {
  const marks = [
    ...(withAgent ? [fact.agentId] : []),
    `id ${fact.factId}`,
    formatDate(fact.createdAt),
    ...(fact.pinned ? ["pinned"] : []),
    ...(fact.confidence === "inferred" ? [] : [fact.confidence]),
    ...(fact.retiredAt === undefined ? [] : [fate(fact)]),
  ];
  return `- ${indentRest(fact.text, "  ")} (${marks.join(", ")})`;
}

/** What became of it, and why. */
function fate({ retiredAt, supersededBy }: Fact): string {
  if (retiredAt === undefined) return "still";
  return `until ${formatDate(retiredAt)}, ${supersededBy === undefined ? "forgotten" : `replaced by ${supersededBy}`}`;
}

function wire(fact: Fact): Readonly<Record<string, unknown>> {
  const { factId, agentId, text, createdAt, confidence, pinned, retiredAt, supersededBy } = fact;
  return {
    fact_id: factId,
    agent_id: agentId,
    text,
    created_at: formatTime(createdAt),
    confidence,
    pinned,
    ...(retiredAt === undefined ? {} : { retired_at: formatTime(retiredAt) }),
    ...(supersededBy === undefined ? {} : { superseded_by: supersededBy }),
  };
}

function count(name: string, given: FlagValues[string], fallback: number): number {
  if (given === undefined) return fallback;
  if (/^\d{1,9}$/.test(String(given))) return Number(given);
  throw new MemoryError("invalid_argument", `Cannot use "${String(given)}" as --${name}: it is a whole number`);
}

function time(name: string, given: FlagValues[string]): number | undefined {
  if (given === undefined) return undefined;
  const found = parseTime(String(given));
  if (found !== undefined) return found;
  throw new MemoryError(
    "invalid_argument",
    `Cannot use "${String(given)}" as --${name}: it is a time or a date such as 2026-12-01`,
  );
}

function confidence(given: FlagValues[string]): Fact["confidence"] | undefined {
  if (given === undefined) return undefined;
  const found = CONFIDENCES.find((one) => one === given);
  if (found !== undefined) return found;
  throw new MemoryError(
    "invalid_argument",
    `Cannot use "${String(given)}" as --confidence: it is one of ${CONFIDENCES.join(", ")}`,
  );
}

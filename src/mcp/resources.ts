// Memory as resources that a person attaches: an agent's facts, one fact, the checkpoint to resume; agents complete by name.
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, type Server } from "@modelcontextprotocol/server";
import { toMemoryError } from "../core/errors.ts";
import type { Fact } from "../core/model.ts";
import { formatTime } from "../core/time.ts";
import type { Reader } from "../memory/reader.ts";

/** Agents listed, and facts in one resource: hosts cut longer ones. */
const MOST = 100;
const TYPE = "application/json";

const TEMPLATES = [
  {
    uriTemplate: "memory://{agent}/facts",
    name: "facts",
    title: "Facts",
    description: "The newest facts of an agent, at most 100",
  },
  {
    uriTemplate: "memory://{agent}/facts/{id}",
    name: "fact",
    title: "One fact",
    description: "A fact by its id, retired or not",
  },
  {
    uriTemplate: "memory://{agent}/checkpoint/latest",
    name: "checkpoint",
    title: "Checkpoint",
    description: "Where an agent's work stands",
  },
].map((template) => ({ ...template, mimeType: TYPE }));

/** @param reader called when a resource is asked for, not before. */
export function offerResources(server: Server, reader: () => Promise<Reader>): void {
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: TEMPLATES }));
  server.setRequestHandler("resources/list", async () => {
    const agents = (await (await reader()).agents()).filter(({ facts }) => facts > 0).slice(0, MOST);
    return {
      resources: agents.map(({ agentId, facts }) => ({
        uri: `memory://${encodeURIComponent(agentId)}/facts`,
        name: agentId,
        title: `${agentId}: ${facts} facts`,
        mimeType: TYPE,
      })),
    };
  });
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
    const found = await read(await reader(), uri).catch((thrown) => {
      const { code, message } = toMemoryError(thrown);
      if (code === "no_checkpoint") return undefined;
      throw new ProtocolError(ProtocolErrorCode.InternalError, message);
    });
    if (found === undefined) throw new ResourceNotFoundError(uri);
    return { contents: [{ uri, mimeType: TYPE, text: JSON.stringify(found, null, 2) }] };
  });
  server.setRequestHandler("completion/complete", async ({ params: { ref, argument } }) => {
    if (ref.type !== "ref/resource" || argument.name !== "agent") return { completion: { values: [] } };
    const begun = argument.value.toLowerCase();
    const names = (await (await reader()).agents()).map(({ agentId }) => agentId);
    const values = names.filter((name) => name.toLowerCase().startsWith(begun));
    return { completion: { values: values.slice(0, MOST), total: values.length, hasMore: values.length > MOST } };
  });
}

async function read(reader: Reader, uri: string): Promise<object | undefined> {
  const [, encoded = "", what, id] = /^memory:\/\/([^/]+)\/(facts|checkpoint\/latest)(?:\/([^/]+))?$/.exec(uri) ?? [];
  const agentId = decoded(encoded);
  if (agentId === undefined || what === undefined) return undefined;
  if (what === "checkpoint/latest") {
    if (id !== undefined) return undefined;
    const { checkpointId, createdAt, label, state, messages } = await reader.resumeCheckpoint({ agentId });
    return { id: checkpointId, created_at: formatTime(createdAt), label, state, messages };
  }
  if (id !== undefined) {
    const fact = (await reader.history(id)).find((one) => one.factId === id && one.agentId === agentId);
    return fact && wire(fact);
  }
  const { facts, total } = await reader.list({ agentIds: [agentId], limit: MOST });
  return { agent_id: agentId, total, facts: facts.map(wire) };
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

function wire(
  { factId, text, createdAt, confidence, pinned, retiredAt, supersededBy }: Fact,
): Readonly<Record<string, unknown>> {
  return {
    fact_id: factId,
    text,
    created_at: formatTime(createdAt),
    confidence,
    ...(pinned ? { pinned } : {}),
    ...(retiredAt === undefined ? {} : { retired_at: formatTime(retiredAt) }),
    ...(supersededBy === undefined ? {} : { superseded_by: supersededBy }),
  };
}

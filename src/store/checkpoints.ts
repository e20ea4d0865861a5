// Checkpoints in SQL: saved whole, the newest found first.
import { isObject, parseJson } from "../core/json.ts";
import { MemoryError } from "../core/errors.ts";
import type { Checkpoint, Message } from "../core/model.ts";
import { type Database, type Row, sql } from "./database.ts";

export interface NewCheckpoint {
  readonly checkpointId: string;
  readonly agentId: string;
  readonly now: number;
  readonly label?: string | undefined;
  readonly state?: Readonly<Record<string, unknown>> | undefined;
  readonly messages?: readonly Message[] | undefined;
  /** Saved by a hook: it never takes the place of one that the agent saved, and only the newest few are kept. */
  readonly auto?: boolean | undefined;
}

export interface Checkpoints {
  /** The time given to it, in milliseconds: never before that of an earlier one. */
  save(checkpoint: NewCheckpoint): Promise<number>;
  /** The one with this id, or the newest that the agent saved, else the newest at all; undefined where there is none. */
  find(agentId: string, checkpointId?: string): Promise<Checkpoint | undefined>;
}

const ADD_AGENT = "INSERT INTO agents (name) SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM agents WHERE name = ?1)";
const SAVE = `INSERT INTO checkpoints (checkpoint_id, aid, created_at, label, state, messages, message_count, kind)
  SELECT ?2, aid, max(?3, coalesce((SELECT max(created_at) FROM checkpoints c WHERE c.aid = a.aid), 0)), ?4, ?5, ?6, ?7, ?8
  FROM agents a WHERE name = ?1 AND NOT EXISTS (SELECT 1 FROM checkpoints WHERE checkpoint_id = ?2)`;
const CREATED = "SELECT created_at FROM checkpoints WHERE checkpoint_id = ?1";
const COLUMNS =
  "SELECT c.checkpoint_id, c.created_at, c.label, c.state, c.messages, c.message_count FROM checkpoints c";
const newest = (kind: string) =>
  `(SELECT n.id FROM checkpoints n WHERE n.aid = (SELECT aid FROM agents WHERE name = ?1) AND n.kind = '${kind}'
    ORDER BY n.created_at DESC, n.id DESC LIMIT 1)`;
const NEWEST = `${COLUMNS} WHERE c.id = coalesce(${newest("own")}, ${newest("auto")})`;
/** Of those that hooks saved. */
const KEPT = 10;
const PRUNE =
  `DELETE FROM checkpoints WHERE kind = 'auto' AND aid = (SELECT aid FROM agents WHERE name = ?1) AND id NOT IN (
  SELECT n.id FROM checkpoints n WHERE n.aid = (SELECT aid FROM agents WHERE name = ?1) AND n.kind = 'auto'
  ORDER BY n.created_at DESC, n.id DESC LIMIT ${KEPT})`;
const BY_ID = `${COLUMNS} WHERE c.aid = (SELECT aid FROM agents WHERE name = ?1) AND c.checkpoint_id = ?2`;

export function openCheckpoints(database: Database): Checkpoints {
  return {
    async save({ checkpointId, agentId, now, label, state, messages, auto }) {
      const results = await database.write([
        sql(ADD_AGENT, agentId),
        sql(
          SAVE,
          agentId,
          checkpointId,
          now,
          label ?? null,
          state ? JSON.stringify(state) : null,
          messages ? JSON.stringify(messages) : null,
          messages?.length ?? 0,
          auto ? "auto" : "own",
        ),
        ...(auto ? [sql(PRUNE, agentId)] : []),
        sql(CREATED, checkpointId),
      ]);
      return Number(results.at(-1)?.[0]?.["created_at"]);
    },
    async find(agentId, checkpointId) {
      const query = checkpointId === undefined ? sql(NEWEST, agentId) : sql(BY_ID, agentId, checkpointId);
      const [[row] = []] = await database.read([query]);
      return row && decode(row);
    },
  };
}

function decode(row: Row): Checkpoint {
  const checkpointId = String(row["checkpoint_id"]);
  const state = parsed(row["state"], checkpointId);
  const messages = parsed(row["messages"], checkpointId);
  const { created_at: createdAt, message_count: messageCount, label } = row;
  if (typeof createdAt !== "number" || typeof messageCount !== "number") throw damaged(checkpointId);
  if ((state !== undefined && !isObject(state)) || (messages !== undefined && !isMessages(messages))) {
    throw damaged(checkpointId);
  }
  return {
    checkpointId,
    createdAt,
    messageCount,
    ...(typeof label === "string" ? { label } : {}),
    ...(state === undefined ? {} : { state }),
    ...(messages === undefined ? {} : { messages }),
  };
}

function parsed(column: unknown, checkpointId: string): unknown {
  if (column === null || column === undefined) return undefined;
  try {
    return parseJson(String(column));
  } catch (cause) {
    throw damaged(checkpointId, cause);
  }
}

function isMessages(value: unknown): value is Message[] {
  return Array.isArray(value) &&
    value.every((one) => isObject(one) && typeof one["role"] === "string" && typeof one["content"] === "string");
}

function damaged(checkpointId: string, cause?: unknown): MemoryError {
  return new MemoryError("record_undecodable", `Cannot read checkpoint "${checkpointId}": its record is damaged`, {
    hint: "Resume another checkpoint by its id, or restore the store from a backup",
    cause,
  });
}

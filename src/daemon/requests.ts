// What each method takes, checked: the words of the tools' own types.
import { jsonObject, name, text } from "../core/wire_types.ts"; // first: it configures ArkType
import { type Type, type } from "arktype";
import { CONFIDENCES } from "../core/model.ts";
import type { Method, Request } from "./methods.ts";

const MESSAGES_LIMIT = 100_000;
const id = type(/^[0-9a-z]{12}$/);
const moment = type("number.integer");
const confidence = type.enumerated(...CONFIDENCES);
const target = { agentId: name, target: text(100_000), "operation?": id } as const;
const fact = {
  agentId: name,
  text: text(100_000),
  sessionId: text(256, { blank: true }),
  "confidence?": confidence,
  "toldAt?": moment,
  "operation?": id,
} as const;

/** Fields that are not listed are left out; `quick` is not, since a daemon has its vectors at hand. */
export const REQUESTS: { readonly [M in Method]: Type<Request<M>> } = {
  search: type({
    "+": "delete",
    agentId: name,
    query: text(10_000),
    "topK?": "1 <= number.integer <= 100",
    "includeShared?": "boolean",
    "since?": moment,
    "until?": moment,
    "asOf?": moment,
    "explain?": "boolean",
  }),
  add: type({ "+": "delete", ...fact }),
  update: type({ "+": "delete", ...fact, ...target }),
  forget: type({ "+": "delete", ...target }),
  pin: type({ "+": "delete", ...target, pinned: "boolean" }),
  link: type({
    "+": "delete",
    agentId: name,
    source: text(100_000),
    relation: text(256, { blank: true }),
    target: text(100_000),
    "operation?": id,
  }),
  saveCheckpoint: type({
    "+": "delete",
    agentId: name,
    "label?": text(200, { blank: true }),
    "state?": jsonObject as Type<Readonly<Record<string, unknown>>>, // a plain object, as it checks
    "messages?": type({ "+": "delete", role: "string", content: "string" }).array().atMostLength(MESSAGES_LIMIT),
    "auto?": "boolean",
    "operation?": id,
  }),
  resumeCheckpoint: type({ "+": "delete", agentId: name, "checkpointId?": text(256) }),
  list: type({
    "+": "delete",
    agentIds: name.array(),
    "retired?": "boolean",
    "pinned?": "boolean",
    "confidence?": confidence,
    "since?": moment,
    "until?": moment,
    "holding?": text(10_000),
    "order?": "'newest' | 'weight'",
    limit: "0 <= number.integer <= 1000",
    "offset?": "number.integer >= 0",
  }),
  status: type({ "+": "delete" }),
  stop: type({ "+": "delete" }),
};

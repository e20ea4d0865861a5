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

export const REQUESTS: { readonly [M in Method]: Type<Request<M>> } = {
  search: type({
    agentId: name,
    query: text(10_000),
    "topK?": "1 <= number.integer <= 100",
    "includeShared?": "boolean",
    "since?": moment,
    "until?": moment,
    "asOf?": moment,
    "explain?": "boolean",
  }),
  add: type({ ...fact }),
  update: type({ ...fact, ...target }),
  forget: type({ ...target }),
  pin: type({ ...target, pinned: "boolean" }),
  link: type({
    agentId: name,
    source: text(100_000),
    relation: text(256, { blank: true }),
    target: text(100_000),
    "operation?": id,
  }),
  saveCheckpoint: type({
    agentId: name,
    "label?": text(200, { blank: true }),
    "state?": jsonObject as Type<Readonly<Record<string, unknown>>>, // a plain object, as it checks
    "messages?": type({ role: "string", content: "string" }).array().atMostLength(MESSAGES_LIMIT),
    "auto?": "boolean",
    "operation?": id,
  }),
  resumeCheckpoint: type({ agentId: name, "checkpointId?": text(256) }),
  list: type({
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
  status: type("object"),
  stop: type("object"),
};

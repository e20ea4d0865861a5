// A client's requests answered from the one memory: parsed, run within the caller's patience, and failures sent as they are.
import { CancellationToken, type MessageConnection, ResponseError } from "vscode-jsonrpc/node";
import { type } from "arktype";
import { isObject } from "../core/json.ts";
import { MemoryError, toMemoryError } from "../core/errors.ts";
import { log } from "../core/log.ts";
import { type Fault, type Method, type Methods, NOT_FOUND, type Options, type Request } from "./methods.ts";
import { REQUESTS } from "./requests.ts";

/** JSON-RPC's code for an error of ours; which one it is stands in its data. */
const OURS = -32000;

/** Answers until the connection ends. @returns what waits for the answers under way */
export function answer(connection: MessageConnection, methods: Methods): () => Promise<unknown> {
  const underWay = new Set<Promise<unknown>>();
  const run = <M extends Method>(method: M) => {
    connection.onRequest(method, (sent: unknown, token: CancellationToken) => {
      const { deadline_ms: limit, report_not_found: sentinel, ...given } = optionsIn(sent);
      const answered = within(limit, token, async () => {
        const request: unknown = REQUESTS[method](given);
        if (request instanceof type.errors) throw new MemoryError("invalid_argument", request.summary.slice(0, 300));
        return await (methods[method] as (request: Request<M>) => Promise<unknown>)(request as Request<M>); // checked above
      }).catch((thrown) => {
        const error = toMemoryError(thrown);
        if (error.code === "no_checkpoint" && method === "resumeCheckpoint" && sentinel === true) return NOT_FOUND;
        if (error.code === "internal") log(`${method}: ${error.code}`, String(error.cause));
        throw faultOf(error);
      });
      underWay.add(answered);
      const done = () => underWay.delete(answered);
      answered.then(done, done);
      return answered;
    });
  };
  for (const method of Object.keys(REQUESTS) as Method[]) run(method); // its own keys
  return () => Promise.allSettled(underWay);
}

function optionsIn(sent: unknown): Options {
  if (!isObject(sent)) return {};
  const { deadline_ms: limit, ...rest } = sent;
  return typeof limit === "number" && limit > 0 ? { ...rest, deadline_ms: limit } : rest;
}

/** Rejects when the caller has gone or its time is over; a write that has begun goes on, and its operation's id makes a second try safe. */
function within(limit: number | undefined, token: CancellationToken, work: () => Promise<unknown>): Promise<unknown> {
  const late = (why: string) => new MemoryError("daemon_late", `The daemon was not done ${why}`);
  return new Promise((resolve, reject) => {
    if (token.isCancellationRequested) return reject(late("when the call was cancelled"));
    const timer = limit && setTimeout(() => reject(late(`within ${limit} ms`)), limit).unref();
    token.onCancellationRequested(() => reject(late("when the call was cancelled")));
    work().then(resolve, reject).finally(() => clearTimeout(timer || undefined));
  });
}

function faultOf({ code, message, hint, cause }: MemoryError): ResponseError<Fault> {
  return new ResponseError(OURS, message, {
    code,
    hint,
    ...(cause instanceof Error ? { cause: cause.message } : {}),
  });
}

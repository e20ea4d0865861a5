// The daemon's methods from afar: each a request with a deadline, each failure a MemoryError again.
import { CancellationTokenSource, type MessageConnection, ResponseError } from "vscode-jsonrpc/node";
import { type Code, CODES, MemoryError } from "../core/errors.ts";
import { isObject } from "../core/json.ts";
import { quoted } from "../core/text.ts";
import type { Reached } from "./client.ts";
import type { Hello } from "./hello.ts";
import { type Fault, type Method, METHODS, type Methods, NEEDS, type Options } from "./methods.ts";
import { connectionOn } from "./rpc.ts";

/** How long a call may take: a write waits ten seconds for another's lock. Milliseconds. */
const DEADLINE = 15_000;

export interface Patience {
  /** Milliseconds for each call. */
  readonly deadline?: number;
  /** Cancels what is under way, here and in the daemon. */
  readonly signal?: AbortSignal;
}

export interface Remote extends Methods {
  close(): void;
}

/** Rejects with `daemon_away` when the connection is cut: what was sent may or may not have been done. */
export function remoteMemory({ socket, hello, rest }: Reached, patience: Patience = {}): Remote {
  const connection = connectionOn(socket, rest);
  const cut = new Promise<never>((_, reject) =>
    socket.once("close", () => reject(new MemoryError("daemon_away", "The daemon is gone", { hint: "Call again" })))
  );
  cut.catch(() => {}); // nobody may be waiting
  socket.once("end", () => socket.destroy());
  const remote = Object.fromEntries(
    (Object.keys(METHODS) as Method[]).map((method) => [ // its own keys
      method,
      (request: object) => ask({ connection, cut }, { method, request, hello, patience }),
    ]),
  ) as unknown as Methods; // one of each, above
  return {
    ...remote,
    resumeCheckpoint: async (request) => {
      const found: unknown = await remote.resumeCheckpoint({ ...request, report_not_found: true } as typeof request);
      if (isObject(found) && found["not_found"] === true) throw noCheckpoint(request.agentId);
      return found as Awaited<ReturnType<Methods["resumeCheckpoint"]>>; // what the method gives
    },
    close: () => void socket.destroy(),
  };
}

interface Line {
  readonly connection: MessageConnection;
  /** Rejects when the connection is gone. */
  readonly cut: Promise<never>;
}

interface Question {
  readonly method: Method;
  readonly request: object;
  readonly hello: Hello;
  readonly patience: Patience;
}

async function ask({ connection, cut }: Line, { method, request, hello, patience }: Question): Promise<unknown> {
  const { deadline = DEADLINE, signal } = patience;
  const sent: Options = { ...request, deadline_ms: deadline };
  for (const [option, capability] of Object.entries(NEEDS)) {
    if (option in sent && !hello.capabilities.includes(capability)) throw tooOld(hello);
  }
  const source = new CancellationTokenSource();
  let late: NodeJS.Timeout | undefined;
  const given = new Promise<never>((_, reject) => {
    const give = (why: string) => (source.cancel(), reject(new MemoryError("daemon_late", why)));
    const cancel = () => give(`The call ${method} was cancelled`);
    if (signal?.aborted) cancel();
    signal?.addEventListener("abort", cancel, { once: true });
    late = setTimeout(() => give(`The daemon did not answer within ${deadline} ms`), deadline);
  });
  given.catch(() => {});
  try {
    return await Promise.race([connection.sendRequest(method, sent, source.token), given, cut]);
  } catch (thrown) {
    throw revived(thrown);
  } finally {
    clearTimeout(late);
  }
}

function noCheckpoint(agentId: string): MemoryError {
  return new MemoryError("no_checkpoint", `No checkpoint found for agent ${quoted(agentId, 256)}`);
}

function tooOld({ version }: Hello): MemoryError {
  return new MemoryError("daemon_old", `The daemon is an older Holdfast (${version}) that cannot do this`, {
    hint: "Update and restart the daemon: holdfast daemon stop, then holdfast daemon start",
  });
}

/** Absence has its own answer: an error that looks like it is a failure, as is one without a code of ours. */
function revived(thrown: unknown): MemoryError {
  if (thrown instanceof MemoryError) return thrown;
  const data: unknown = thrown instanceof ResponseError ? thrown.data : undefined;
  const { code, hint, cause } = isObject(data) ? data as Partial<Fault> : {};
  const known = code !== undefined && Object.hasOwn(CODES, code) && code !== "no_checkpoint";
  if (!known) {
    return new MemoryError("daemon_failed", "The daemon failed without saying why", {
      hint: "Update and restart the daemon: holdfast daemon stop, then holdfast daemon start",
      cause: thrown,
    });
  }
  const { message } = thrown as Error; // a ResponseError
  return new MemoryError(code as Code, message, { hint, ...(cause === undefined ? {} : { cause: new Error(cause) }) });
}

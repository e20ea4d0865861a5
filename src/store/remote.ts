// A libSQL server over HTTP: one batch a request, with deadlines, retries that batches make safe, and a breaker.
import { Buffer } from "node:buffer";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client, InStatement, ResultSet } from "@libsql/client/http";
import type { Config } from "../core/config.ts";
import { MemoryError } from "../core/errors.ts";
import { type Database, type Results, type Row, sql, type Statement } from "./database.ts";
import { codeOf, fault, storeFault } from "./faults.ts";
import { known, MARK, SCHEMA_VERSION, stepsAfter } from "./schema.ts";

type Mode = "read" | "write";

/** Times a call is sent while the server is away; pauses between them double. Milliseconds. */
const ATTEMPTS = 4;
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 1000;
/** How long calls fail at once after the server was away; doubles until it is back. Milliseconds. */
const REST = { first: 1000, longest: 30_000 };

/** What a server makes for itself is not counted. */
const STATE = `SELECT user_version AS version, (SELECT count(*) FROM sqlite_schema WHERE name NOT GLOB 'sqlite_*'
    AND name NOT GLOB 'libsql_*' AND name NOT GLOB '_litestream_*') AS objects,
  EXISTS (SELECT 1 FROM sqlite_schema WHERE sql = ?1) AS ours FROM pragma_user_version`;
/** Fails, and with it its batch, where the schema has another version. */
const GUARD = "SELECT CASE WHEN user_version = ?1 THEN 1 ELSE json('') END FROM pragma_user_version";
/** A batch whose guard failed: nothing was done. */
class Stale extends MemoryError {
  constructor() {
    super("store_failed", "Cannot use the store: its schema changes all the time", { hint: "Call again" });
  }
}

const LOOPBACK = /^(localhost|127\.|\[::1\])/;

/** Network errors after which the server cannot have done anything. */
const NOT_SENT: readonly string[] = ["ECONNREFUSED", "ENOTFOUND", "HTTP_503"];

export function openRemote({ store, server = { deadline: 5000 }, busyTimeout }: Config): Database {
  const breaker = openBreaker();
  let client: Promise<Client> | undefined;
  let ready: Promise<void> | undefined;
  let closed = false;
  /** It has answered as a libSQL server: what it says later that is none is damage. */
  let met = false;

  const send = async (mode: Mode, statements: readonly Statement[]): Promise<Results> => {
    if (closed) throw new MemoryError("store_failed", "Cannot use the store: it was closed");
    client ??= connect(store, server);
    try {
      const results = await (await client).batch(statements.map(encode), mode);
      met = true;
      return results.map(rowsOf);
    } catch (thrown) {
      const foreign = thrown instanceof SyntaxError || ["NO_SERVER", "HRANA_PROTO_ERROR"].includes(codeOf(thrown));
      throw foreign ? coded(met ? "BROKEN" : "NO_SERVER", String(thrown), thrown) : thrown;
    }
  };
  const patiently = async (mode: Mode, statements: readonly Statement[]): Promise<Results> => {
    const start = performance.now();
    const attempts = breaker.enter();
    let unsure = false;
    for (let attempt = 1, pause = FIRST_PAUSE;; attempt++, pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      try {
        const results = await send(mode, statements);
        breaker.heal();
        return results;
      } catch (thrown) {
        const failure = meant(thrown, mode);
        const away = failure.code === "store_away";
        unsure ||= away && mode === "write" && !NOT_SENT.includes(codeOf(thrown));
        const waited = performance.now() - start + pause;
        const again = away
          ? attempt < attempts && waited < 1.5 * server.deadline
          : failure.code === "store_busy" && waited < busyTimeout;
        if (!again) {
          if (away) breaker.trip(failure, attempts);
          else breaker.heal();
          throw unsure && !(failure instanceof Stale) ? fault("UNSURE", thrown) : failure;
        }
      }
      await sleep(pause * (0.5 + Math.random()));
    }
  };
  /** Judges the database before it is touched, and brings it to this version: one client does, the others see it done. */
  const open = async (): Promise<void> => {
    const [[state] = []] = await patiently("read", [sql(STATE, MARK)]);
    const version = Number(state?.["version"]);
    if (Number(state?.["objects"]) > 0 && state?.["ours"] !== 1) throw fault("FOREIGN_SERVER");
    if (known(version) === SCHEMA_VERSION) return;
    try {
      const steps = [...stepsAfter(version), `PRAGMA user_version = ${SCHEMA_VERSION}`];
      await patiently("write", [sql(GUARD, version), ...steps.map((step) => sql(step))]);
    } catch (thrown) {
      if (thrown instanceof Stale) return open();
      throw storeFault(thrown).code === "store_read_only" ? fault("OUTDATED", thrown) : thrown;
    }
  };
  const opened = (): Promise<void> =>
    ready ??= open().catch((thrown) => {
      ready = undefined;
      throw thrown;
    });
  const write = async (statements: readonly Statement[]): Promise<Results> => {
    await opened();
    return (await patiently("write", [sql(GUARD, SCHEMA_VERSION), ...statements])).slice(1);
  };
  return {
    async read(statements) {
      await opened();
      return await patiently("read", statements).catch((thrown) => {
        if (storeFault(thrown).code === "store_failed") ready = undefined; // its tables may be gone: look again
        throw thrown;
      });
    },
    async write(statements) {
      try {
        return await write(statements);
      } catch (thrown) {
        if (!(thrown instanceof Stale)) throw thrown;
        ready = undefined; // another Holdfast has upgraded the schema, or the database was put back to an older state
        return await write(statements);
      }
    },
    async close() {
      closed = true;
      (await client?.catch(() => undefined))?.close();
    },
  };
}

async function connect(url: string, { token, deadline }: NonNullable<Config["server"]>): Promise<Client> {
  const { createClient } = await import("@libsql/client/http");
  // Left to itself, fetch asks for Brotli over TLS: that takes sqld 250 ms for an answer of 50 kB. Gzip saves a far
  // connection round trips; on one machine it only takes time.
  const encoding = LOOPBACK.test(new URL(url).hostname) ? "identity" : "gzip";
  const ask = async (request: Request): Promise<Response> => {
    const signal = AbortSignal.timeout(Math.max(deadline, 1));
    const asked = new Headers(request.headers);
    asked.set("accept-encoding", encoding);
    const response = await fetch(request, { headers: asked, signal, redirect: "manual" });
    const { status, headers } = response;
    const body = await response.arrayBuffer().catch((thrown) => { // here, so that the deadline is for all of it
      throw coded(networkCode(thrown) === "STALLED" ? "STALLED" : "BROKEN", String(thrown), thrown);
    });
    if (status >= 400) throw coded(statusCode(status, token), `HTTP status ${status}`);
    const json = status === 200 && headers.get("content-type")?.startsWith("application/json");
    if (!json) throw coded("NO_SERVER", `HTTP status ${status}`);
    return new Response(body, { status, headers });
  };
  return createClient({
    url,
    ...(token === undefined ? {} : { authToken: token }),
    fetch: (request: Request) =>
      ask(request).catch((thrown) => {
        throw codeOf(thrown) ? thrown : coded(networkCode(thrown), String(thrown), thrown);
      }),
  });
}

/** Opens when the server is away; then one call may ask after each rest, until the server is back. */
function openBreaker() {
  let last: MemoryError | undefined;
  let rest = 0;
  let until = 0;
  return {
    /** How often this call may be sent. @throws MemoryError the last failure, while nothing is to be sent. */
    enter(): number {
      if (!last) return ATTEMPTS;
      const left = until - performance.now();
      if (left > 0) {
        const hint = `The server is asked again in ${Math.ceil(left / 1000)} s; call again then`;
        throw new MemoryError(last.code, last.message, { hint, cause: last.cause });
      }
      until = performance.now() + rest;
      return 1;
    },
    /** `attempts` as `enter` gave it: of calls under way when the breaker opened, only the first counts. */
    trip(failure: MemoryError, attempts: number): void {
      if (last && attempts > 1) return;
      rest = Math.min(rest * 2 || REST.first, REST.longest);
      until = performance.now() + rest;
      last = failure;
    },
    heal(): void {
      last = undefined;
      rest = 0;
    },
  };
}

function meant(thrown: unknown, mode: Mode): MemoryError {
  const code = codeOf(thrown);
  if (mode === "read" || !(thrown instanceof Error)) return storeFault(thrown);
  if (code === "HTTP_403") return fault("TOKEN_READS", thrown);
  const first = "statementIndex" in thrown && thrown.statementIndex === 0;
  return first && code === "SQLITE_UNKNOWN" ? new Stale() : storeFault(thrown);
}

function statusCode(status: number, token: string | undefined): string {
  if (status === 401) return token === undefined ? "NO_TOKEN" : hasExpired(token) ? "EXPIRED" : "HTTP_401";
  const known = [403, 404, 413, 429, 502, 503, 504].includes(status);
  return known ? `HTTP_${status}` : status >= 500 ? "SERVER_FAILED" : "NO_SERVER";
}

/** Whether a JSON web token says that its time is over. */
function hasExpired(token: string): boolean {
  try {
    const { exp } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    return typeof exp === "number" && exp * 1000 < Date.now();
  } catch {
    return false;
  }
}

/** What kept a request from its answer; Node tells it by the code of the cause, Deno in words alone. */
const NETWORK: readonly (readonly [RegExp, code: string])[] = [
  [/ECONNREFUSED|connection refused/i, "ECONNREFUSED"],
  [/ENOTFOUND|EAI_AGAIN|dns error|failed to lookup/i, "ENOTFOUND"],
  [/CERT|SSL|EPROTO|UNABLE_TO_|UnknownIssuer|corrupt message/i, "UNTRUSTED"],
  [/^HPE_|invalid HTTP/i, "NO_SERVER"],
];

function networkCode(thrown: unknown): string {
  if (!(thrown instanceof Error)) return "UNREACHED";
  if (thrown.name === "TimeoutError") return "STALLED";
  const told = codeOf(thrown.cause) || (thrown.cause instanceof Error ? thrown.cause.message : thrown.message);
  return NETWORK.find(([pattern]) => pattern.test(told))?.[1] ?? "UNREACHED";
}

function coded(code: string, message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code });
}

/** A JavaScript number would arrive as a float. */
function encode({ sql, args }: Statement): InStatement {
  return { sql, args: args.map((arg) => Number.isInteger(arg) ? BigInt(arg as number) : arg) }; // told by isInteger
}

function rowsOf({ columns, rows }: ResultSet): readonly Row[] {
  return rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]])));
}

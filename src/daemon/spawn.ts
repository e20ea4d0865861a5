// A daemon seen from outside: found, started beside this process and waited for, and stopped.
import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { CODES, MemoryError } from "../core/errors.ts";
import { reach, type Reached, type Unreached } from "./client.ts";
import { type Place, prepare, readCard } from "./place.ts";
import { remoteMemory } from "./remote.ts";

/** How long a daemon may take to be ready, and how often it is asked. Milliseconds. */
const PATIENCE = 20_000;
const PAUSE = 25;
const STOPPING = 8000;

/** The program and its words up to and with `daemon run`. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/** Resolves with a connection once the daemon is ready, whoever started it. @throws MemoryError daemon_failed where it did not start. */
export async function startDaemon(place: Place, { command, args }: Program): Promise<Reached> {
  prepare(place);
  const errors = join(place.directory, "errors");
  const out = openSync(errors, "w", 0o600);
  const child = spawn(command, args, { detached: true, stdio: ["ignore", "ignore", out], windowsHide: true });
  closeSync(out);
  let failed = false; // one that found another's lock has not: the other may still be getting ready
  child.once("exit", (status) => failed = status !== CODES.conflict.exit).once("error", () => failed = true);
  const deadline = Date.now() + PATIENCE;
  for (let last: Unreached = "absent"; Date.now() < deadline; await sleep(PAUSE)) {
    const over = failed; // what came before the child's end is seen by the next look
    const found = await reach(place, { use: "rpc" });
    if (typeof found !== "string") return child.unref(), found;
    last = found;
    if (over || last !== "absent") break;
  }
  child.unref();
  throw new MemoryError("daemon_failed", `The daemon did not start: ${firstLine(errors)}`, {
    hint: "holdfast daemon run shows what it does",
  });
}

/** `any`: whatever settings it was started with. @throws MemoryError conflict where one runs that does not serve this client. */
export async function find(place: Place, { any }: { readonly any?: boolean } = {}): Promise<Reached | undefined> {
  const found = await reach(place, { use: "rpc", any });
  if (typeof found !== "string") return found;
  if (found === "absent") return undefined;
  throw new MemoryError(
    "conflict",
    `The daemon of this store (process ${readCard(place)?.pid}) cannot be used: ${WHY[found]}`,
    {
      hint: "holdfast daemon stop, then holdfast daemon start with the settings that all clients use",
    },
  );
}

const WHY: Readonly<Record<Exclude<Unreached, "absent">, string>> = {
  settings: "it was started with other settings (embedder, secrets, durability or token)",
  protocol: "it no longer understands this version",
  store: "it has another store",
};

/** The daemon of the place whatever its settings, to ask about it. @throws MemoryError daemon_away where one is there and does not answer. */
export async function findAny(place: Place): Promise<Reached | undefined> {
  const found = await find(place, { any: true });
  const pid = readCard(place)?.pid;
  if (found || pid === undefined || !isAlive(pid)) return found;
  throw new MemoryError("daemon_away", `The daemon of this store (process ${pid}) does not answer`, {
    hint: `Everything works without it; end process ${pid}, then holdfast daemon start`,
  });
}

/** The process that has ended; undefined where none ran. @throws MemoryError daemon_late where it does not end. */
export async function stopDaemon(place: Place): Promise<number | undefined> {
  const reached = await findAny(place);
  if (!reached) return undefined;
  const remote = remoteMemory(reached);
  const { pid } = await remote.status({});
  await remote.stop({}).finally(() => remote.close());
  for (const deadline = Date.now() + STOPPING; isAlive(pid); await sleep(PAUSE)) {
    if (Date.now() < deadline) continue;
    throw new MemoryError("daemon_late", `The daemon (process ${pid}) has not stopped within ${STOPPING / 1000} s`, {
      hint: `It ends what it was asked first; look again, or end process ${pid}`,
    });
  }
  return pid;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function firstLine(path: string): string {
  const [line = ""] = readFileSync(path, "utf8").split("\n");
  return line.replace(/^holdfast: /, "") || `it was not ready within ${PATIENCE / 1000} s`;
}

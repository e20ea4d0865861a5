// What a daemon says of itself, for a person and for a program.
import { formatTime } from "../core/time.ts";
import { VERSION } from "../core/version.ts";
import type { Reached } from "../daemon/client.ts";
import type { DaemonStatus } from "../daemon/methods.ts";
import { remoteMemory } from "../daemon/remote.ts";
import type { Input } from "./command.ts";
import { print, printJson } from "./output.ts";

const MEGABYTE = 1024 * 1024;

/** @param heading a sentence before it */
export async function show(reached: Reached, flags: Input["flags"], heading: string | undefined): Promise<number> {
  const remote = remoteMemory(reached);
  const found = await remote.status({}).finally(() => remote.close());
  const warning = staleness(found);
  if (flags["json"] === true) {
    printJson(wire(found, warning));
    return 0;
  }
  print([
    ...(heading === undefined ? [] : [`${heading}.`, ""]),
    `process   ${found.pid}, since ${formatTime(found.startedAt)} (${duration(Date.now() - found.startedAt)})`,
    `version   ${found.version}`,
    `store     ${found.store}, ${found.facts} facts${sizes(found)}`,
    `clients   ${found.clients - 1}`, // this command is one
    `memory    ${megabytes(found.memoryBytes)}`,
    ...(found.http === undefined ? [] : [`http      ${found.http}`]),
    ...(warning === undefined ? [] : ["", warning]),
  ].join("\n"));
  return 0;
}

function staleness({ version, outdated }: DaemonStatus): string | undefined {
  const restart = "restart it: holdfast daemon stop, then holdfast daemon start";
  if (version !== VERSION) return `The daemon is Holdfast ${version}, this is ${VERSION}; ${restart}`;
  return outdated ? `The program's file has changed since the daemon started; ${restart}` : undefined;
}

function wire(found: DaemonStatus, warning: string | undefined): object {
  return {
    running: true,
    pid: found.pid,
    version: found.version,
    store: found.store,
    started_at: formatTime(found.startedAt),
    clients: found.clients - 1,
    facts: found.facts,
    ...(found.storeBytes === undefined ? {} : { store_bytes: found.storeBytes, log_bytes: found.logBytes }),
    memory_bytes: found.memoryBytes,
    ...(found.http === undefined ? {} : { http: found.http }),
    ...(warning === undefined ? {} : { warning }),
  };
}

function sizes({ storeBytes, logBytes = 0 }: DaemonStatus): string {
  return storeBytes === undefined ? "" : `, ${megabytes(storeBytes)} and a log of ${megabytes(logBytes)}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / MEGABYTE).toFixed(1)} MB`;
}

function duration(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 60) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${Math.floor(minutes / 1440)} days`;
}

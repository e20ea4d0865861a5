// A daemon's life: one at a time for a store, found while it is ready, gone when nobody needs it.
import { join } from "node:path";
import process from "node:process";
import { MemoryError } from "../core/errors.ts";
import { logTo } from "../core/log.ts";
import { VERSION } from "../core/version.ts";
import { holdLock } from "../store/lock.ts";
import { type Journal, openJournal } from "./journal.ts";
import { clear, newCard, type Place, prepare, readCard, writeCard } from "./place.ts";
import { type DoorParts, openDoor } from "./server.ts";

/** From the signal to the end: what goes on is given less, so that the store is closed in time. Milliseconds. */
const DRAIN = 4000;
const LOOK = 1000;

/** What the daemon's parts may ask of its life. */
export interface Life {
  readonly startedAt: number;
  readonly journal: Journal;
  clients(): number;
  stop(why: string): void;
}

export interface DaemonParts {
  readonly place: Place;
  /** Milliseconds without a client after which it stops; 0 for never. */
  readonly idle: number;
  /** Opens what is served; nothing is listened to before it resolves. */
  open(life: Life): Promise<{
    readonly serve: DoorParts["serve"];
    /** When somebody last asked through another door, milliseconds since 1970. */
    lastAsked(): number;
    /** Ends within so many milliseconds what goes on elsewhere, and closes the store. */
    close(limit: number): Promise<void>;
  }>;
  /** Called once clients can come. */
  ready(): void;
}

/** Resolves when it has stopped. @throws MemoryError conflict where another runs. */
export async function runDaemon({ place, idle, open, ready }: DaemonParts): Promise<void> {
  prepare(place);
  const lock = holdLock(join(place.directory, "lock"));
  if (!lock) throw taken(place);
  const journal = openJournal(join(place.directory, "log.jsonl"));
  logTo((message) => journal("log", { message }));
  try {
    clear(place);
    await live({ place, idle, open, ready, journal });
  } finally {
    lock.release();
  }
}

async function live({ place, idle, open, ready, journal }: DaemonParts & { readonly journal: Journal }): Promise<void> {
  const startedAt = Date.now();
  let stop: (why: string) => void = () => {};
  const stopped = new Promise<string>((resolve) => stop = resolve);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => stop(signal));
  let clients = () => 0;
  const parts = await open({ startedAt, journal, clients: () => clients(), stop });
  const card = newCard();
  const door = await openDoor({ place, token: card.token, serve: parts.serve });
  clients = door.clients;
  writeCard(place, card);
  journal("start", { pid: card.pid, version: VERSION });
  ready();
  const watch = idle > 0 ? watchIdle(idle, clients, parts.lastAsked, () => stop("idle")) : undefined;
  const why = await stopped;
  clearInterval(watch);
  clear(place);
  journal("stop", { why, clients: clients() });
  await door.close(DRAIN);
  await parts.close(DRAIN / 4);
  journal("end");
}

function watchIdle(idle: number, clients: () => number, lastAsked: () => number, act: () => void): NodeJS.Timeout {
  let busy = Date.now();
  return setInterval(() => {
    if (clients() > 0) busy = Date.now();
    if (Date.now() - Math.max(busy, lastAsked()) >= idle) act();
  }, Math.min(LOOK, idle));
}

function taken(place: Place): MemoryError {
  const pid = readCard(place)?.pid;
  return new MemoryError(
    "conflict",
    `A daemon for this store runs already${pid === undefined ? "" : ` (process ${pid})`}`,
    {
      hint: "holdfast daemon status shows it, holdfast daemon stop ends it",
    },
  );
}

// What can be asked of a daemon: the memory's own methods, and a few about the daemon itself.
import type { Memory } from "../memory/memory.ts";
import type { Reader } from "../memory/reader.ts";
import type { Capability } from "./hello.ts";

/** A memory that many share. */
export type Shared = Omit<Memory, "close"> & Pick<Reader, "list">;

export interface DaemonStatus {
  readonly pid: number;
  readonly version: string;
  /** The store's path or address. */
  readonly store: string;
  /** When it started, milliseconds since 1970. */
  readonly startedAt: number;
  /** Connections, this one among them. */
  readonly clients: number;
  readonly facts: number;
  /** Bytes of the store and of its log; of a server's store they are not known. */
  readonly storeBytes: number | undefined;
  readonly logBytes: number | undefined;
  /** Resident memory, bytes. */
  readonly memoryBytes: number;
  /** Address of the HTTP door, where it is open. */
  readonly http: string | undefined;
  /** The program's file has changed since the daemon started. */
  readonly outdated: boolean;
}

interface Own {
  status(request: object): Promise<DaemonStatus>;
  /** Answered before the daemon begins to stop. */
  stop(request: object): Promise<void>;
}

export type Methods = Shared & Own;
export type Method = keyof Methods;

/** Each method, and whether it changes something. */
export const METHODS: Readonly<Record<Method, "reads" | "writes">> = {
  search: "reads",
  add: "writes",
  update: "writes",
  forget: "writes",
  pin: "writes",
  link: "writes",
  saveCheckpoint: "writes",
  resumeCheckpoint: "reads",
  list: "reads",
  status: "reads",
  stop: "reads",
};

export type Request<M extends Method> = Parameters<Methods[M]>[0];

/** What may be sent beside a request's own fields. */
export interface Options {
  /** How long the caller waits, in milliseconds. */
  readonly deadline_ms?: number | undefined;
  /** Of resumeCheckpoint: absence comes as `{not_found: true}`, not as an error. */
  readonly report_not_found?: boolean | undefined;
}

/** Options that a daemon must have told that it knows. */
export const NEEDS: Readonly<Partial<Record<keyof Options, Capability>>> = { report_not_found: "report_not_found" };

/** The one way to say that there is no checkpoint. */
export const NOT_FOUND = { not_found: true } as const;

/** An error as it is sent beside its message. */
export interface Fault {
  readonly code: string;
  readonly hint?: string | undefined;
  readonly cause?: string | undefined;
}

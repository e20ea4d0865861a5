// What a check of `holdfast doctor` is, and what it finds.
import type { Config } from "../core/config.ts";
import type { Machine } from "./machine.ts";
import type { Host } from "../hosts/hosts.ts";

export interface Finding {
  /** `note`: worth knowing, nothing to do. */
  readonly status: "ok" | "note" | "problem";
  /** One sentence, capital first, no full stop. */
  readonly message: string;
  /** What to do about a problem. */
  readonly hint?: string;
  /** Does it. */
  readonly repair?: () => Promise<unknown>;
}

/** What checks look at. */
export interface Patient {
  readonly here: Machine;
  readonly config: Config;
  readonly hosts: readonly Host[];
}

export interface Check {
  readonly id: string;
  readonly run: (patient: Patient) => Promise<readonly Finding[]>;
}

export const ok = (message: string): Finding => ({ status: "ok", message });
export const note = (message: string): Finding => ({ status: "note", message });
export const problem = (message: string, hint: string, repair?: Finding["repair"]): Finding => ({
  status: "problem",
  message,
  hint,
  ...(repair ? { repair } : {}),
});

// The hosts on this machine and what a command wants of them, from flags.
import { agentIn } from "../core/agent.ts";
import { readConfig } from "../core/config.ts";
import { MemoryError } from "../core/errors.ts";
import { dataDirectory, inherited, surroundings } from "../core/places.ts";
import { type Host, HOSTS, type Scope } from "../hosts/hosts.ts";
import { type Ground, groundOf, isHere } from "../hosts/places.ts";
import type { Start } from "../hosts/shapes.ts";
import type { Input } from "./command.ts";
import { selfCommand } from "./self.ts";

export interface Machine {
  readonly ground: Ground;
  readonly start: Start;
  readonly agentId: string;
  /** Where the ledger and the copies are. */
  readonly ledger: string;
}

export function machine({ flags }: Input): Machine {
  const around = surroundings();
  const ground = groundOf(around);
  const given = flags["store"]?.toString() ?? (around.env["HOLDFAST_STORE"] || undefined);
  const store = given === undefined ? {} : { store: readConfig({ store: given }).store };
  return {
    ground,
    start: { ...selfCommand(), env: inherited(around), ...store },
    agentId: agentIn({ ...around, cwd: ground.project }).agentId,
    ledger: `${dataDirectory(around)}/hosts`,
  };
}

/** Those named, else those found: a colleague's files in a project do not put a host on this machine. */
export function chosenHosts(flag: string | boolean | undefined, ground: Ground, scope: Scope): readonly Host[] {
  return namedHosts(flag) ?? HOSTS.filter((host) => {
    const here = isHere(host, ground);
    return here.machine || (scope === "project" && here.project);
  });
}

/** @throws MemoryError invalid_argument where an id is no host's. */
export function namedHosts(flag: string | boolean | undefined): readonly Host[] | undefined {
  if (typeof flag !== "string") return undefined;
  return flag.split(",").map((word) => {
    const host = HOSTS.find(({ id }) => id === word.trim());
    if (host) return host;
    throw new MemoryError("invalid_argument", `Unknown host "${word.trim()}"`, {
      hint: `One or more of ${HOSTS.map(({ id }) => id).join(", ")}`,
    });
  });
}

/** @throws MemoryError invalid_argument */
export function scopeOf(flag: string | boolean | undefined): Scope {
  if (flag === undefined || flag === "user") return "user";
  if (flag === "project") return flag;
  throw new MemoryError("invalid_argument", `Cannot use "${String(flag)}" as --scope: it is user or project`);
}

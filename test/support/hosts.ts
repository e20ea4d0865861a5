// A machine of its own for host tests: a home, a project, and a start to write into files.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Edit, editsOf, type Wanted } from "../../src/hosts/edits.ts";
import { type Host, HOSTS, type Scope } from "../../src/hosts/hosts.ts";
import { type Ground, groundOf } from "../../src/hosts/places.ts";
import type { Start } from "../../src/hosts/shapes.ts";
import { temporaryFolder } from "./temporary.ts";

export const START: Start = { command: "/opt/holdfast/node", args: ["/opt/holdfast/main.ts"], env: {} };

export function ground(platform = "linux"): Ground {
  const home = temporaryFolder();
  const project = join(home, "work", "my-app");
  mkdirSync(project, { recursive: true });
  return groundOf({ env: { HOME: home, USERPROFILE: home }, platform, cwd: project });
}

export function edits(host: Host, here: Ground, over: Partial<Wanted> = {}): Edit[] {
  const wanted = { scope: "user", start: START, agentId: "my-app", hooks: true, instructions: true } as const;
  return editsOf(host, { ...wanted, ...over }, here);
}

/** Every host in every scope that it has a file for. */
export const CASES = HOSTS.flatMap((host) =>
  (["user", "project"] satisfies Scope[]).filter((scope) => host.config[scope]).map((scope) => ({ host, scope }))
);

export function put(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

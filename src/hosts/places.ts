// Where programs keep their files: named roots per platform, and the way from `{root}/file` to a path.
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { posix, win32 } from "node:path";
import type { Surroundings } from "../core/places.ts";

/** A path whose first part may be a root in braces; without one it is relative to the project's folder. */
export type Place = string;

interface Root {
  /** The variable that moves it. */
  readonly env?: string;
  readonly default: Place;
  readonly darwin?: Place;
  readonly win32?: Place;
}

const ROOTS: Readonly<Record<string, Root>> = {
  config: { env: "XDG_CONFIG_HOME", default: "{home}/.config" },
  appdata: { env: "APPDATA", default: "{home}/AppData/Roaming" },
  support: { default: "{config}", darwin: "{home}/Library/Application Support", win32: "{appdata}" },
  code: { default: "{support}/Code/User" },
  claude: { env: "CLAUDE_CONFIG_DIR", default: "{home}/.claude" },
  claudeJson: { env: "CLAUDE_CONFIG_DIR", default: "{home}" },
  codex: { env: "CODEX_HOME", default: "{home}/.codex" },
  copilot: { env: "COPILOT_HOME", default: "{home}/.copilot" },
  cline: { env: "CLINE_DIR", default: "{home}/.cline" },
  goose: { default: "{config}/goose", win32: "{appdata}/Block/goose/config" },
  zed: { default: "{home}/.config/zed", win32: "{appdata}/Zed" },
};

/** The machine and the project that hosts are looked for in. */
export interface Ground extends Surroundings {
  readonly home: string;
  /** The project's folder. */
  readonly project: string;
}

export function groundOf(around: Surroundings, project?: string): Ground {
  const home = around.env[around.platform === "win32" ? "USERPROFILE" : "HOME"] || homedir();
  return { ...around, home, project: project ?? around.cwd ?? home };
}

/** The absolute path of a place. */
export function pathOf(place: Place, ground: Ground): string {
  const { join, isAbsolute } = ground.platform === "win32" ? win32 : posix;
  const [, root, rest = ""] = /^\{(\w+)\}\/?(.*)$/.exec(place) ?? [];
  if (root === undefined) return join(ground.project, place);
  if (root === "home") return join(ground.home, rest);
  const row = ROOTS[root];
  if (!row) throw new Error(`No root {${root}}`);
  const moved = row.env === undefined ? undefined : ground.env[row.env];
  if (moved && isAbsolute(moved)) return join(moved, rest);
  const { platform } = ground;
  const base = (platform === "darwin" ? row.darwin : platform === "win32" ? row.win32 : undefined) ?? row.default;
  return join(pathOf(base, ground), rest);
}

/** The first place that exists, else the first. */
export function chosenPath(places: readonly Place[], ground: Ground): string | undefined {
  const paths = places.map((place) => pathOf(place, ground));
  return paths.find((path) => existsSync(path)) ?? paths[0];
}

/** Whether a program shows that it is on this machine, by what it keeps or on the PATH, or in this project. */
export function isHere(
  { signs, programs = [] }: { readonly signs: readonly Place[]; readonly programs?: readonly string[] },
  ground: Ground,
): { readonly machine: boolean; readonly project: boolean } {
  const found = signs.filter((place) => existsSync(pathOf(place, ground)));
  return {
    machine: found.some((place) => place.startsWith("{")) || programs.some((name) => isOnPath(name, ground)),
    project: found.some((place) => !place.startsWith("{")),
  };
}

function isOnPath(program: string, { env, platform }: Ground): boolean {
  const { join, delimiter } = platform === "win32" ? win32 : posix;
  const names = platform === "win32" ? [".exe", ".cmd", ".bat"].map((end) => program + end) : [program];
  const folders = (env["PATH"] ?? env["Path"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.some((folder) => names.some((name) => existsSync(join(folder, name))));
}

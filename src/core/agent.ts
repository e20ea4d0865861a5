// Whose memory a folder's work belongs to: the rule that turns a folder into an agent_id.
import { readFileSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { isObject } from "./json.ts";
import { dataDirectory, type Surroundings, surroundings } from "./places.ts";

/** What the rule was applied to, so that a reader can be told why. */
export interface AgentName {
  readonly agentId: string;
  readonly from: "alias" | "remote" | "folder";
}

/**
 * The repository's name by its remote `origin` (else its first remote), without `.git`; without a remote, the name of
 * its root folder; outside a repository, the folder's own name. An alias replaces the result.
 */
export function agentOf(folder: string, aliases: Readonly<Record<string, string>> = {}): AgentName {
  const git = gitFolder(folder);
  const remote = git && remoteName(git.config);
  const name = remote ?? (basename(git?.root ?? folder) || "root");
  const alias = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
  return alias
    ? { agentId: alias, from: "alias" }
    : { agentId: name, from: remote === undefined ? "folder" : "remote" };
}

/** By the rule for the working directory, and the aliases in the user's data folder. */
export function agentIn(around: Surroundings = surroundings()): AgentName {
  return agentOf(around.cwd ?? "/", readAliases(join(dataDirectory(around), "aliases.json")));
}

/** Names in use before a rename, by the names that the rule now gives: `{"new-name": "old-name"}`. Empty where unreadable. */
export function readAliases(file: string): Readonly<Record<string, string>> {
  try {
    const parsed: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (!isObject(parsed)) return {};
    return Object.fromEntries(Object.entries(parsed).filter((pair): pair is [string, string] => isName(pair[1])));
  } catch {
    return {};
  }
}

/** What the contract takes as an agent_id. */
function isName(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "" && value.length <= 256 && !/\p{Cc}/u.test(value);
}

/** The repository's root and the file that names its remotes; a worktree shares its main repository's. */
function gitFolder(folder: string): { readonly root: string; readonly config: string } | undefined {
  for (let root = resolve(folder);; root = dirname(root)) {
    const git = join(root, ".git");
    const stats = statSync(git, { throwIfNoEntry: false });
    if (stats?.isDirectory()) return { root, config: join(git, "config") };
    if (stats?.isFile()) return linked(root, git);
    if (dirname(root) === root) return undefined;
  }
}

function linked(root: string, git: string): { readonly root: string; readonly config: string } {
  const [, given = ""] = /^gitdir: (.+)$/m.exec(read(git)) ?? [];
  const own = isAbsolute(given) ? given : resolve(root, given);
  const common = read(join(own, "commondir")).trim();
  return { root, config: join(common === "" ? own : resolve(own, common), "config") };
}

function remoteName(config: string): string | undefined {
  const remotes = [...read(config).matchAll(/^\s*\[remote "([^"]+)"\]([^[]*)/gm)].map(([, name, body = ""]) => ({
    name,
    url: /^\s*url\s*=\s*(.+?)\s*$/m.exec(body)?.[1],
  }));
  const url = (remotes.find(({ name, url }) => name === "origin" && url) ?? remotes.find(({ url }) => url))?.url;
  const last = url?.replace(/[/\\]+$/, "").replace(/\.git$/i, "").split(/[/\\:]/).at(-1);
  return last !== undefined && isName(last) ? last : undefined;
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

// The rule that names an agent after the folder it works in.
import { mkdirSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { basename, join } from "node:path";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { agentOf, readAliases } from "../../src/core/agent.ts";
import { temporaryFolder } from "../support/temporary.ts";

function repository(config: string): string {
  const root = join(temporaryFolder(), "checkout");
  mkdirSync(join(root, ".git"), { recursive: true });
  mkdirSync(join(root, "src", "deep"), { recursive: true });
  writeFileSync(join(root, ".git", "config"), config);
  return root;
}

const remote = (url: string, name = "origin") =>
  `[core]\n\tbare = false\n[remote "${name}"]\n\turl = ${url}\n\tfetch = +x\n`;

test("agentOf is the last part of the remote's address, from any folder of the repository", () => {
  for (
    const url of [
      "git@example.com:team/My-App.git",
      "https://example.com/team/My-App.git",
      "https://example.com/team/My-App/",
      "ssh://git@example.com:22/team/My-App",
      "/srv/git/My-App.git",
      "git@example.com:My-App.git",
    ]
  ) {
    const root = repository(remote(url));
    assertEquals(agentOf(root), { agentId: "My-App", from: "remote" }, url);
    assertEquals(agentOf(join(root, "src", "deep")).agentId, "My-App", url);
  }
});

test("agentOf prefers origin, takes another remote where there is none", () => {
  assertEquals(agentOf(repository(remote("x/fork.git", "fork") + remote("x/main.git"))).agentId, "main");
  assertEquals(agentOf(repository(remote("x/up.git", "upstream"))).agentId, "up");
});

test("agentOf without a remote is the root folder's name, outside a repository the folder's own", () => {
  const root = repository("[core]\n");
  assertEquals(agentOf(join(root, "src")), { agentId: "checkout", from: "folder" });
  const folder = temporaryFolder();
  assertEquals(agentOf(folder), { agentId: basename(folder), from: "folder" });
});

test("agentOf is the same in a worktree", () => {
  const root = join(temporaryFolder(), "main");
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...words], {
      cwd: root,
      stdio: "pipe",
    });
  mkdirSync(root);
  git("init");
  git("remote", "add", "origin", "git@example.com:team/tree.git");
  git("commit", "--allow-empty", "-m", "x");
  git("worktree", "add", "../feature");
  assertEquals(agentOf(join(root, "..", "feature")).agentId, "tree");
});

test("readAliases: a renamed repository keeps its memory; anything unreadable is no alias", () => {
  const file = join(temporaryFolder(), "aliases.json");
  assertEquals(readAliases(file), {});
  writeFileSync(file, '{"new-name": "old-name", "bad": 3, "blank": " "}');
  assertEquals(readAliases(file), { "new-name": "old-name" });
  assertEquals(agentOf(repository(remote("x/new-name.git")), readAliases(file)), {
    agentId: "old-name",
    from: "alias",
  });
  assertEquals(agentOf(repository(remote("x/constructor.git")), readAliases(file)).agentId, "constructor");
  writeFileSync(file, "{");
  assertEquals(readAliases(file), {});
});

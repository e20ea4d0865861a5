// What the program says of itself to shells, to man and to whoever wants to update it.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, test } from "node:test";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { COMMANDS } from "../../src/cli/commands.ts";
import { VERSION } from "../../src/core/version.ts";
import { COMMAND, EXECUTABLE } from "../support/program.ts";
import { holdfast } from "../support/shell.ts";
import { temporaryFolder, temporaryStore } from "../support/temporary.ts";

const store = temporaryStore();

async function said(...words: string[]): Promise<string> {
  const { status, stdout, stderr } = await holdfast(store, words);
  assertEquals([status, stderr], [0, ""]);
  return stdout;
}

describe("completions", () => {
  /** What bash would offer for the last of the words. */
  async function offered(...words: string[]): Promise<string[]> {
    const file = join(temporaryFolder(), "completions.bash");
    writeFileSync(file, await said("completions", "bash"));
    const line = `source '${file}'; COMP_WORDS=(holdfast ${
      words.map((word) => `'${word}'`).join(" ")
    }); COMP_CWORD=${words.length}; _holdfast; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync("bash", ["-c", line], { encoding: "utf8" });
    assertEquals(stderr, "");
    return stdout.trim().split("\n");
  }

  test("bash: commands, their second words, flags and the values of flags", async () => {
    assertEquals(await offered("ch"), ["checkpoint"]);
    assertEquals(await offered("checkpoint", ""), ["save", "resume"]);
    assertEquals(await offered("search", "--emb"), ["--embedder"]);
    assertEquals(await offered("checkpoint", "resume", "--on"), ["--on-missing"]);
    assertEquals(await offered("search", "--embedder", ""), ["words", "minilm", "http", "none"]);
  });

  for (const shell of ["bash", "zsh", "fish", "powershell"]) {
    test(`${shell}: name every command and flag`, async () => {
      const script = await said("completions", shell);
      for (const { name, flags } of COMMANDS) {
        for (const word of name.split(" ")) assertStringIncludes(script, word);
        for (const flag of Object.keys(flags)) assertStringIncludes(script, flag);
      }
    });
  }

  test("another shell is refused with those there are", async () => {
    const { status, stderr } = await holdfast(store, ["completions", "toString"]);
    assertEquals(status, 2);
    assertMatch(stderr, /Cannot complete for "toString": the shells are bash, zsh, fish, powershell/);
  });
});

test("man names every command and flag", async () => {
  const page = (await said("man")).replaceAll("\\-", "-");
  assertMatch(page, /^\.TH HOLDFAST 1 /);
  for (const { name, flags } of COMMANDS) {
    assertStringIncludes(page, `.B holdfast ${name}`);
    for (const flag of Object.keys(flags)) assertStringIncludes(page, `.B --${flag}`);
  }
});

describe("upgrade", () => {
  /** A release index on loopback. */
  async function withIndex<T>(status: number, body: string, use: (url: string) => Promise<T>): Promise<T> {
    const server = createServer((_, response) => response.writeHead(status).end(body));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/latest`);
    } finally {
      server.close();
    }
  }

  test("without an index says how, and not whether", async () => {
    const out = JSON.parse(await said("upgrade", "--check", "--json"));
    assertEquals([out.version, "latest" in out, "newer" in out], [VERSION, false, false]);
    assertMatch(out.command, EXECUTABLE ? /install script/ : /git pull/);
  });

  test("with an index says whether", async () => {
    const cases = [["99.0.0", true], ["v99.1.2", true], [VERSION, false], ["0.0.1", false], ["0.10.0", true]] as const;
    for (const [version, newer] of cases) {
      const body = JSON.stringify(version.startsWith("v") ? { tag_name: version } : { version });
      await withIndex(200, body, async (url) => {
        assertEquals(JSON.parse(await said("upgrade", "--releases", url, "--json")).newer, newer, version);
      });
    }
  });

  test("says what is wrong with an index", async () => {
    const refused = async (url: string) => {
      const { status, stderr } = await holdfast(store, ["upgrade", "--releases", url]);
      assertEquals(status, 2);
      return stderr;
    };
    assertMatch(await refused("file:///etc/passwd"), /no http or https URL/);
    assertMatch(await withIndex(500, "{}", refused), /it gave no JSON/);
    assertMatch(await withIndex(200, "<html>", refused), /it gave no JSON/);
    assertMatch(await withIndex(200, '{"version":"soon"}', refused), /its answer names no version/);
  });

  test(
    "names the package manager that installed it",
    { skip: !EXECUTABLE && "only an executable can be elsewhere" },
    () => {
      for (
        const [place, command] of [["Cellar/holdfast/1/bin", "brew upgrade holdfast"], [
          "scoop/apps/holdfast",
          "scoop update holdfast",
        ]] as const
      ) {
        const folder = join(temporaryFolder(), place);
        mkdirSync(folder, { recursive: true });
        copyFileSync(COMMAND, join(folder, "holdfast"));
        const { stdout } = spawnSync(join(folder, "holdfast"), ["upgrade"], { encoding: "utf8" });
        assert(stdout.includes(command), stdout);
      }
    },
  );
});

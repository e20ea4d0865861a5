// Every host's files before and after: what is added, what stays, what is left alone, and all of it taken back.
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Edit } from "../../src/hosts/edits.ts";
import { type Ledger, openLedger } from "../../src/hosts/ledger.ts";
import { type Change, planMaking, planUnmaking } from "../../src/hosts/plan.ts";
import { HOSTS } from "../../src/hosts/hosts.ts";
import { CASES, edits, ground, put } from "../support/hosts.ts";
import { temporaryFolder } from "../support/temporary.ts";

type Fixture = readonly [name: string, text: string];

/** With somebody else's server where ours will stand beside it, under this host's own keys. */
const FIXTURES: Readonly<Record<string, (keys: readonly string[]) => readonly Fixture[]>> = {
  jsonc: (keys) => {
    const [first = "", ...rest] = keys;
    const inner = rest.reduceRight(
      (text, key) => `{ "${key}": ${text} }`,
      `{\n    "other": {"command": "x", "args": ["a"]} // keep\n  }`,
    );
    const full = `// top\n{\n  "theme": "dark", /* why */\n  "${first}": ${inner},\n  "last": [1,\n 2]\n}\n`;
    return [
      ["empty", ""],
      ["an empty object", "{}\n"],
      ["comments and other servers", full],
      ["trailing commas", `{\n  "${first}": {\n    "a": {},\n  },\n}\n`],
      ["one line", `{"${first}":{"a":{"command":"x"}},"z":1}`],
      ["CRLF", full.replaceAll("\n", "\r\n")],
      ["BOM", `\ufeff${full}`],
      ["tabs", full.replace(/^( {2})+/gm, (spaces) => "\t".repeat(spaces.length / 2))],
      ["four spaces", full.replace(/^( {2})+/gm, (spaces) => spaces + spaces)],
      [
        "one line inside",
        `{\n  "${first}": ${rest.reduceRight((text, key) => `{ "${key}": ${text} }`, `{ "other": {} }`)}\n}\n`,
      ],
    ];
  },
  toml: () => {
    const full =
      `# top\nmodel = "x" # why\n\n[mcp_servers.other]\ncommand = "x"\nargs = ["a"]\n\n[mcp_servers.other.env]\nA = "1"\n\n[last]\nn = [1,\n 2]\n`;
    return [
      ["empty", ""],
      ["comments and other servers", full],
      ["no newline at the end", full.trimEnd()],
      ["CRLF", full.replaceAll("\n", "\r\n")],
      ["BOM", `\ufeff${full}`],
      ["tabs", full.replace("command", "\tcommand")],
    ];
  },
  yaml: (keys) => {
    const list = keys[0] === "mcpServers";
    const other = list
      ? "  - name: other\n    command: x # why\n"
      : "  other:\n    cmd: x # why\n    args: [a,\n      b]\n";
    const full = `# top\nname: "me"\n${keys[0]}:\n${other}\nlast:   1\n`;
    return [
      ["empty", ""],
      ["comments and other servers", full],
      ["no servers yet", "# top\nname: me\n"],
      ["an empty list", `${keys[0]}: ${list ? "[]" : "{}"}\nlast: 1\n`],
      ["no newline at the end", full.trimEnd()],
      ["CRLF", full.replaceAll("\n", "\r\n")],
      ["BOM", `\ufeff${full}`],
    ];
  },
};

const BROKEN: Readonly<Record<string, readonly [text: string, line: number, column: number]>> = {
  jsonc: ['{\n  "a": 1,\n  "b" 2\n}\n', 3, 7],
  toml: ["a = 1\nb = = 2\n", 2, 5],
  yaml: ["a: 1\nb: [1\nc: 2\n", 3, 1],
};

function configOf(some: readonly Edit[]): Edit {
  const server = some.find(({ what }) => what === "server");
  assert(server);
  return server;
}

async function make(some: readonly Edit[], ledger: Ledger): Promise<Change[]> {
  const changes = await planMaking(some);
  for (const change of changes) if (!change.fault) ledger.write(change, "/project");
  return changes;
}

async function unmake(some: readonly Edit[], ledger: Ledger): Promise<void> {
  for (const { real, after } of await planUnmaking(some, ledger)) ledger.giveBack(real, after);
}

/** Every line that was there is there still, in order; where our entry follows, a comma may end it. */
function assertOnlyAdded(before: string, after: string): void {
  const lines = after.split("\n");
  let at = 0;
  for (const line of before.trimEnd().split("\n").map((one) => one.replace(/\r$/, ""))) {
    const bare = (one = "") => one.replace(/\r$/, "").replace(/,(?=\s*(\/\/.*|\/\*.*\*\/)?$)/, "");
    while (at < lines.length && bare(lines[at]) !== bare(line)) at++;
    assert(
      at < lines.length,
      `Lost the line ${JSON.stringify(line)} of ${JSON.stringify(before)} in ${JSON.stringify(after)}`,
    );
    at++;
  }
}

for (const { host, scope } of CASES) {
  describe(`${host.id}, ${scope}`, () => {
    for (const [name, text] of FIXTURES[host.format]?.(host.keys[0] ?? []) ?? []) {
      test(`${name}: made, made again, taken back to the byte`, async () => {
        const here = ground();
        const some = edits(host, here, { scope });
        const config = configOf(some);
        put(config.path, text);
        const ledger = openLedger(join(here.home, "ledger"));
        await make(some, ledger);
        const after = readFileSync(config.path, "utf8");
        assertEquals(await config.state(after.replace("\ufeff", "")), "present");
        assertEquals(after.startsWith("\ufeff"), text.startsWith("\ufeff"));
        if (text.includes("\r\n")) assert(!/[^\r]\n/.test(after), after);
        if (!/\}\s*\}|^\{\}|: (\[\]|\{\})$/m.test(text)) assertOnlyAdded(text, after);
        assertEquals(await make(some, ledger), [], "a second run changes nothing");
        assertEquals(readFileSync(config.path, "utf8"), after);
        await unmake(some, ledger);
        assertEquals(readFileSync(config.path, "utf8"), text);
        for (const { path } of some) assertEquals(existsSync(path), path === config.path, path);
      });

      test(`${name}: taken back after its owner wrote more, and without the ledger`, async () => {
        const here = ground();
        const some = edits(host, here, { scope, hooks: false, instructions: false });
        const config = configOf(some);
        put(config.path, text);
        const ledger = openLedger(join(here.home, "ledger"));
        await make(some, ledger);
        const grown = `${readFileSync(config.path, "utf8")}${host.format === "jsonc" ? "// more\n" : "\n# more\n"}`;
        for (const known of [ledger, openLedger(temporaryFolder())]) {
          put(config.path, grown);
          await unmake(some, known);
          const left = readFileSync(config.path, "utf8");
          assertEquals(await config.state(left.replace("\ufeff", "")), "missing");
          assertMatch(left, /more\n$/);
          assert(!left.includes("holdfast"), left);
          if (text.includes("other")) assert(left.startsWith(text.trimEnd()), `${left} of ${text}`);
        }
      });
    }

    test("no file yet: made, and gone again with its folders", async () => {
      const here = ground();
      const some = edits(host, here, { scope });
      const ledger = openLedger(join(here.home, "ledger"));
      await make(some, ledger);
      for (const { path } of some) assert(existsSync(path), path);
      await unmake(some, ledger);
      for (const { path } of some) assertEquals(existsSync(path), false, path);
      assertEquals(existsSync(join(here.home, ".config")), false);
    });

    test("broken: left alone, with line and column and what to paste", async () => {
      const here = ground();
      const some = edits(host, here, { scope, hooks: false });
      const config = configOf(some);
      const [text = "", line, column] = BROKEN[host.format] ?? [];
      put(config.path, text);
      const changes = await make(some, openLedger(join(here.home, "ledger")));
      const refused = changes.find(({ path }) => path === config.path);
      assertMatch(refused?.fault?.message ?? "", new RegExp(`^it cannot be read: line ${line}, column ${column}: \\w`));
      assertMatch(refused?.fault?.snippets.join() ?? "", /holdfast[^]*\/opt\/holdfast\/node[^]*main\.ts/);
      assertEquals(readFileSync(config.path, "utf8"), text);
    });

    test("a link is followed, and stays a link", async () => {
      const here = ground();
      const some = edits(host, here, { scope });
      const config = configOf(some);
      const target = put(join(here.home, "dotfiles", "file"), "");
      mkdirSync(join(config.path, ".."), { recursive: true });
      symlinkSync(target, config.path);
      const ledger = openLedger(join(here.home, "ledger"));
      await make(some, ledger);
      assert(lstatSync(config.path).isSymbolicLink());
      assertEquals(await config.state(readFileSync(target, "utf8")), "present");
      await unmake(some, ledger);
      assert(lstatSync(config.path).isSymbolicLink());
      assertEquals(readFileSync(target, "utf8"), "");
    });

    test("read-only: left alone", async () => {
      const here = ground();
      const config = configOf(edits(host, here, { scope }));
      put(config.path, "");
      chmodSync(config.path, 0o444);
      const [change] = await make([config], openLedger(join(here.home, "ledger")));
      assertEquals(change?.fault?.message, "it is marked read-only");
      assertEquals(readFileSync(config.path, "utf8"), "");
    });
  });
}

const claude = HOSTS.filter(({ id }) => id === "claude-code");

test("a file keeps its rights, and the copy is for its owner alone", async () => {
  const here = ground();
  const config = configOf(claude.flatMap((host) => edits(host, here)));
  put(config.path, "{}");
  chmodSync(config.path, 0o640);
  const ledger = openLedger(join(here.home, "ledger"));
  const [change] = await planMaking([config]);
  assert(change);
  const copy = ledger.write(change, "/project") ?? "";
  assertEquals((statSync(config.path).mode & 0o777).toString(8), "640");
  assertEquals([readFileSync(copy, "utf8"), (statSync(copy).mode & 0o777).toString(8)], ["{}", "600"]);
});

test("what its owner added between two runs of init outlives uninstall", async () => {
  const here = ground();
  const some = claude.flatMap((host) => edits(host, here, { hooks: false, instructions: false }));
  const config = configOf(some);
  put(config.path, '{\n  "a": 1\n}\n');
  const ledger = openLedger(join(here.home, "ledger"));
  await make(some, ledger);
  put(config.path, readFileSync(config.path, "utf8").replace('"a": 1', '"a": 1,\n  "b": 2'));
  const moved = claude.flatMap((host) =>
    edits(host, here, { start: { command: "/new", args: [], env: {} }, hooks: false, instructions: false })
  );
  await make(moved, ledger);
  assertEquals(ledger.untouched(config.path), false, "no one copy holds both");
  await unmake(moved, ledger);
  assertEquals(readFileSync(config.path, "utf8"), '{\n  "a": 1,\n  "b": 2\n}\n');
});

test("a value of the wrong kind where servers belong: left alone", async () => {
  for (const text of ['{"mcpServers": null}', '{"mcpServers": "x"}', '{"mcpServers": [1]}', "[]"]) {
    const here = ground();
    const config = configOf(claude.flatMap((host) => edits(host, here)));
    put(config.path, text);
    const [change] = await planMaking([config]);
    assert(change?.fault, text);
    assertEquals(change.after, text);
  }
});

test("servers written in line in TOML and YAML: left alone, with what to paste", async () => {
  const rows = { codex: 'mcp_servers = { other = { command = "x" } }\n', goose: "extensions: {other: {cmd: x}}\n" };
  for (const [id, text] of Object.entries(rows)) {
    const here = ground();
    const config = configOf(HOSTS.filter((host) => host.id === id).flatMap((host) => edits(host, here)));
    put(config.path, text);
    const [change] = await planMaking([config]);
    assertEquals(change?.fault?.message, "the file is written in a way that cannot be changed in place");
    assertMatch(change?.fault?.snippets.join() ?? "", /holdfast/);
    assertEquals(readFileSync(config.path, "utf8"), text);
  }
});

test("AGENTS.md that is a link to CLAUDE.md gets one block, for both", async () => {
  const here = ground();
  const claudeMd = put(join(here.project, "CLAUDE.md"), "# Ours\n");
  symlinkSync("CLAUDE.md", join(here.project, "AGENTS.md"));
  const some = HOSTS.filter(({ id }) => id === "claude-code" || id === "codex")
    .flatMap((host) => edits(host, here, { scope: "project" }));
  const ledger = openLedger(join(here.home, "ledger"));
  await make(some, ledger);
  assertEquals(readFileSync(claudeMd, "utf8").split("holdfast:begin").length, 2);
  await unmake(some, ledger);
  assertEquals(readFileSync(claudeMd, "utf8"), "# Ours\n");
  assert(lstatSync(join(here.project, "AGENTS.md")).isSymbolicLink());
});

test("text that is not UTF-8 is left alone", async () => {
  const here = ground();
  const config = configOf(claude.flatMap((host) => edits(host, here)));
  put(config.path, "");
  const { writeFileSync } = await import("node:fs");
  writeFileSync(config.path, Uint8Array.of(0xff, 0xfe, 0x7b, 0, 0x7d, 0));
  const [change] = await planMaking([config]);
  assertEquals(change?.fault?.message, "it is not UTF-8 text");
});

test("one file for several hosts is one change", async () => {
  const here = ground();
  const some = HOSTS.flatMap((host) => edits(host, here, { scope: "project" }));
  const changes = await planMaking(some);
  const agents = changes.filter(({ path }) => path.endsWith("AGENTS.md"));
  assertEquals(agents.length, 1);
  assert((agents[0]?.hosts.length ?? 0) > 5);
  assertEquals(agents[0]?.after?.split("holdfast:begin").length, 2);
});

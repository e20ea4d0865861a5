// One table in and out of TOML as people write it, and what cannot be changed in place.
import { test } from "node:test";
import { assertEquals, assertThrows } from "@std/assert";
import { Unreadable, valueAt } from "../../src/hosts/format.ts";
import { toml } from "../../src/hosts/toml.ts";

const WAY = ["mcp_servers", "holdfast"];
const ENTRY = { command: "/n", args: ["C:\\x", 'say "hi"'], env: { "A-B": "é\n" } };

const DOCUMENTS: readonly string[] = [
  "",
  "# only a comment\n",
  'a = 1\n[mcp_servers]\n[mcp_servers.other]\ncommand = "x" # why\n',
  'text = """\n[mcp_servers.holdfast]\nnot a table\n"""\n',
  "[[list]]\nx = 1\n[[list]]\nx = 2\n",
  '[mcp_servers.other.env]\nA = \'1\'\n\n\n[projects."/home/you/a.b"]\ntrust_level = "trusted"\n',
  "when = 1979-05-27T07:32:00Z\ndate = 1979-05-27\nbig = 0xdead\nnot = nan\n",
];

for (const text of DOCUMENTS) {
  test(`set and remove: ${JSON.stringify(text.slice(0, 50))}`, () => {
    const made = toml.set(text, WAY, ENTRY);
    assertEquals(valueAt(toml.read(made), WAY), ENTRY);
    assertEquals(made.startsWith(text), true);
    assertEquals(toml.set(made, WAY, ENTRY), made);
    assertEquals(toml.remove(made, WAY), text);
    const moved = toml.set(made, WAY, { command: "/other" });
    assertEquals(valueAt(toml.read(moved), WAY), { command: "/other" });
    assertEquals(toml.remove(moved, WAY), text);
  });
}

test("set takes the place of an older table, its inner tables too, and leaves what follows", () => {
  const text = '[mcp_servers.holdfast]\ncommand = "old"\n\n[mcp_servers.holdfast.env]\nA = "1"\n\n# next\n[z]\nx = 1\n';
  const made = toml.set(text, WAY, { command: "/n" });
  assertEquals(made, '[mcp_servers.holdfast]\ncommand = "/n"\n\n# next\n[z]\nx = 1\n');
});

test("servers in line cannot be added to in place: what comes out is no TOML", () => {
  for (const text of ['mcp_servers = { other = { command = "x" } }\n', 'mcp_servers.holdfast.command = "x"\n']) {
    assertThrows(() => toml.read(toml.set(text, WAY, ENTRY)), Unreadable);
  }
});

// Workflows run with the least rights, and only actions that are pinned to a commit.
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";

const FOLDER = new URL("../../.github/workflows/", import.meta.url);
const workflows = readdirSync(FOLDER).map((name) => ({ name, text: readFileSync(new URL(name, FOLDER), "utf8") }));

test("every action is pinned to a commit, with its version beside it", () => {
  assert(workflows.length > 0);
  for (const { name, text } of workflows) {
    for (const [line] of text.matchAll(/uses:.*/g)) {
      assertMatch(line, /^uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/, name);
    }
  }
});

test("a workflow may read and no more, but for the job that publishes", () => {
  for (const { name, text } of workflows) {
    assertMatch(text, /^permissions:\n {2}contents: read\n(?! )/m, name);
    const written = [...text.matchAll(/^( +)([\w-]+): write$/gm)].map(([, , what]) => what);
    assertEquals(written, name === "release.yml" ? ["contents", "id-token", "attestations"] : [], name);
    for (const checkout of text.split("actions/checkout@").slice(1)) {
      assertMatch(checkout, /^.*\n.*with:\n\s+persist-credentials: false/);
    }
  }
});

test("no workflow publishes a release that nobody has looked at, nor a package", () => {
  for (const { name, text } of workflows) {
    assert(!/npm publish|docker push|mcp-publisher publish/.test(text), name);
    for (const [line] of text.matchAll(/gh release create.*/g)) assertMatch(line, /--draft/);
  }
});

// One pair or item in and out of YAML as people write it, and what cannot be changed in place.
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { valueAt, type Way } from "../../src/hosts/format.ts";
import { yaml } from "../../src/hosts/yaml.ts";

const PAIR: Way = ["extensions", "holdfast"];
const ENTRY = { cmd: "/n", args: ["C:\\x", "yes", "é: - #"], envs: {}, timeout: 300 };

const DOCUMENTS: readonly (readonly [text: string, way: Way])[] = [
  ["extensions:\n  other:\n    cmd: x # why\n    args: [a,\n      b]\n\n# after\nlast: 1\n", PAIR],
  ["extensions:\n    other: {cmd: x}\n", PAIR],
  ['"extensions":\n  "other":\n    cmd: |\n      two\n      lines\nlast: 1\n', PAIR],
  ["extensions:\n  other: &a\n    cmd: x\n  more: *a\nlast: 1\n", PAIR],
  ["extensions: # none\nlast: 1\n", PAIR],
  ["---\nextensions:\n  other:\n    cmd: x\n", PAIR],
  ["servers:\n  - name: other\n    cmd: x\n\n  - name: more\nlast: 1\n", ["servers", 2]],
  ["servers:\n- name: other\n  cmd: x\nlast: 1\n", ["servers", 1]],
];

for (const [text, way] of DOCUMENTS) {
  test(`set and remove: ${JSON.stringify(text.slice(0, 60))}`, () => {
    const made = yaml.set(text, way, ENTRY);
    assertEquals(valueAt(yaml.read(made), way), ENTRY, made);
    assertEquals(yaml.set(made, way, ENTRY), made, "again");
    assertEquals(yaml.remove(made, way), text);
    const moved = yaml.set(made, way, { cmd: "/other" });
    assertEquals(valueAt(yaml.read(moved), way), { cmd: "/other" }, moved);
    assertEquals(yaml.remove(moved, way), text);
  });
}

test("remove leaves a document alone that has nothing there", () => {
  for (const text of ["", "a: 1\n", "extensions: {holdfast: {cmd: x}}\n"]) assertEquals(yaml.remove(text, PAIR), text);
});

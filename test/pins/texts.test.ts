// Every sentence a tool can say, frozen: a change here is seen by agents and people.
import { after, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { openMemory } from "../../src/memory/open.ts";
import { callTool } from "../../src/tool.ts";
import { TOOLS } from "../../src/tools.ts";
import TOOL_LIST from "../../src/tools.json" with { type: "json" };
import { temporaryStore } from "../support/temporary.ts";

const NOW = Date.parse("2026-12-01T02:03:04.567Z");
const memory = await openMemory({ store: temporaryStore(), durability: "normal", busyTimeout: 1000 }, {
  now: () => NOW,
});
after(() => memory.close());

/** The whole text of a call, ids as `<id>`. */
async function say(name: string, args: unknown): Promise<string> {
  const tool = TOOLS.find((one) => one.name === name);
  const schema = TOOL_LIST.find((one) => one.name === name)?.inputSchema;
  assert(tool && schema);
  const outcome = await callTool({
    tool,
    schema,
    args,
    caller: { sessionId: "s" },
    memory: () => Promise.resolve(memory),
  });
  const text = "fault" in outcome ? outcome.text : outcome.answer.text;
  return text.replace(/\b[0-9a-hjkmnp-tv-z]{12}\b/g, "<id>");
}

type Line = readonly [args: unknown, text: string];

async function assertSays(tool: string, lines: readonly Line[]): Promise<void> {
  for (const [args, text] of lines) assertEquals(await say(tool, args), text, JSON.stringify(args));
}

const a = { agent_id: "pin" };

test("memory_add says", () =>
  assertSays("memory_add", [
    [{ ...a, text: "The gateway listens on port 7410" }, 'Memory stored for agent "pin" (id <id>).'],
    [{ ...a, text: "The gateway listens  on port 7410" }, 'Already remembered for agent "pin" (id <id>).'],
    [
      { ...a, text: "Cut \u0000 here" },
      'Memory stored for agent "pin" (id <id>). Characters that cannot be stored were replaced with U+FFFD.',
    ],
    [
      { ...a, text: "The staging password is hunter2!" },
      'Memory stored for agent "pin" (id <id>). What looked like a credential was replaced with a placeholder: password.',
    ],
    [{ ...a, text: "One", tags: 1 }, 'Memory stored for agent "pin" (id <id>).\nIgnored unknown argument: tags'],
    [
      { ...a, text: "Two", tags: 1, ttl: 2 },
      'Memory stored for agent "pin" (id <id>).\nIgnored unknown arguments: tags, ttl',
    ],
    [{ text: "x" }, "Cannot store the memory: agent_id must be a string (was missing)"],
    [{ agent_id: "", text: "x" }, "Cannot store the memory: agent_id must be 1 to 256 characters (was 0 characters)"],
    [{ agent_id: " ", text: "x" }, "Cannot store the memory: agent_id must be more than white space (was white space)"],
    [
      { agent_id: "a\n", text: "x" },
      "Cannot store the memory: agent_id must be free of control characters (was a name with one)",
    ],
    [
      { agent_id: "\ud800", text: "x" },
      "Cannot store the memory: agent_id must be valid Unicode (was text with half a character)",
    ],
    [a, "Cannot store the memory: text must be a string (was missing)"],
    [{ ...a, text: "" }, "Cannot store the memory: text must be not blank (was empty)"],
    [{ ...a, text: " " }, "Cannot store the memory: text must be not blank (was blank)"],
    [{ ...a, text: 7 }, "Cannot store the memory: text must be a string (was a number)"],
    [
      { ...a, text: "x".repeat(100_001) },
      "Cannot store the memory: text must be at most 100000 characters (was 100001 characters)",
    ],
    [
      { ...a, text: "x", told_at: "soon" },
      'Cannot store the memory: told_at must be a time such as 2026-12-01T02:03:04Z or a date such as 2026-12-01 (was "soon")',
    ],
    [
      { ...a, text: "x", confidence: "sure" },
      'Cannot store the memory: confidence must be "inferred", "unverified" or "verified" (was "sure")',
    ],
    [[], "Cannot store the memory: arguments must be an object (was an array)"],
    ["x", "Cannot store the memory: arguments must be an object (was a string)"],
  ]));

test("memory_search says", async () => {
  await say("memory_add", { agent_id: "pinned", text: "First line\nsecond line", told_at: "2026-01-02" });
  await say("memory_add", { agent_id: "__shared__", text: "Shared by every line" });
  const own = { agent_id: "pinned", include_shared: false };
  await assertSays("memory_search", [
    [
      { ...own, query: "second" },
      'Found 1 relevant memories for agent "pinned":\n\n1. First line\n   second line (id <id>, 2026-01-02)',
    ],
    [
      { ...own, query: "\u0000 second", scope: 1 },
      'Found 1 relevant memories for agent "pinned":\n\n1. First line\n   second line (id <id>, 2026-01-02)\nIgnored unknown argument: scope',
    ],
    [{ ...own, query: "zebra" }, 'No memories found for agent "pinned" matching "zebra". None relevant among 1'],
    [{ ...own, query: "?!" }, 'No memories found for agent "pinned" matching "?!". The query has no word to look for'],
    [
      { ...own, agent_id: "Pinnd", query: "line" },
      'No memories found for agent "Pinnd" matching "line". No memories yet for this agent; did you mean "pinned", which has 1?',
    ],
    [
      { ...own, agent_id: "somebody else", query: "line" },
      'No memories found for agent "somebody else" matching "line". No memories yet for this agent',
    ],
    [a, "Cannot search memory: query must be a string (was missing)"],
    [{ ...a, query: "" }, "Cannot search memory: query must be not blank (was empty)"],
    [
      { ...a, query: "x".repeat(10_001) },
      "Cannot search memory: query must be at most 10000 characters (was 10001 characters)",
    ],
    [{ ...a, query: "x", top_k: 0 }, "Cannot search memory: top_k must be at least 1 (was 0)"],
    [{ ...a, query: "x", top_k: 101 }, "Cannot search memory: top_k must be at most 100 (was 101)"],
    [{ ...a, query: "x", top_k: 1.5 }, "Cannot search memory: top_k must be an integer (was 1.5)"],
    [{ ...a, query: "x", top_k: "ten" }, "Cannot search memory: top_k must be a number (was a string)"],
    [{ ...a, query: "x", explain: "perhaps" }, 'Cannot search memory: explain must be boolean (was "perhaps")'],
  ]);
  const explained = await say("memory_search", { ...own, query: "second", explain: true });
  assertEquals(
    explained.replace(/ranked by .*/, "ranked by …"),
    'Found 1 relevant memories for agent "pinned":\n\n1. First line\n   second line (id <id>, 2026-01-02)\n   ranked by …',
  );
});

test("checkpoint_save and checkpoint_resume say", async () => {
  await assertSays("checkpoint_resume", [
    [a, 'No checkpoint found for agent "pin"'],
    [{ ...a, on_missing: "empty" }, 'No checkpoint saved for agent "pin" yet.'],
    [
      { ...a, checkpoint_id: "x", on_missing: "empty" },
      'No checkpoint "x" found for agent "pin"\nLeave checkpoint_id out to resume the newest',
    ],
    [{ ...a, on_missing: null }, 'Cannot resume checkpoint: on_missing must be "empty" or "error" (was null)'],
  ]);
  const messages = [{ role: "user", content: "go\non" }, { role: "agent", content: "yes" }];
  await assertSays("checkpoint_save", [
    [{ ...a, state: { step: 3, list: [] }, messages, label: "Half\nway" }, 'Checkpoint "<id>" saved for agent "pin".'],
  ]);
  await assertSays("checkpoint_resume", [
    [
      a,
      'Checkpoint "<id>" restored for agent "pin".\nCreated: 2026-12-01T02:03:04.567Z\nLabel: Half\n   way\nState:\n{\n  "step": 3,\n  "list": []\n}\nMessages: 2 turns',
    ],
    [
      { ...a, include_messages: true },
      'Checkpoint "<id>" restored for agent "pin".\nCreated: 2026-12-01T02:03:04.567Z\nLabel: Half\n   way\nState:\n{\n  "step": 3,\n  "list": []\n}\nMessages: 2 turns\n- user: go\n   on\n- agent: yes',
    ],
  ]);
  await assertSays("checkpoint_save", [
    [a, 'Checkpoint "<id>" saved for agent "pin".'],
    [
      { ...a, state: { cut: "\u0000" } },
      'Checkpoint "<id>" saved for agent "pin". Characters that cannot be stored were replaced with U+FFFD.',
    ],
    [{ ...a, state: "[1]" }, "Cannot save checkpoint: state must be an object (was a string)"],
    [{ ...a, state: [1] }, "Cannot save checkpoint: state must be an object (was an array)"],
    [
      { ...a, state: { x: "x".repeat(2 ** 20) } },
      "Cannot save checkpoint: state must be at most 1048576 bytes as JSON (was 1048584 bytes)\nKeep what the next session needs, and leave the rest in files",
    ],
    [{ ...a, messages: [{ role: "x" }] }, "Cannot save checkpoint: messages[0].content must be a string (was missing)"],
    [
      { ...a, label: "x".repeat(201) },
      "Cannot save checkpoint: label must be at most 200 characters (was 201 characters)",
    ],
  ]);
});

test("memory_reflect says", () =>
  assertSays("memory_reflect", [
    [{ ...a, action: "add", text: "The lamp is red" }, 'Memory stored for agent "pin" (id <id>).'],
    [{ ...a, action: "add", text: "The lamp is red" }, 'Already remembered for agent "pin" (id <id>).'],
    [
      { ...a, action: "update", target: "The lamp is red", text: "The lamp is green" },
      'Memory updated for agent "pin" (id <id>, in place of <id>).',
    ],
    [{ ...a, action: "pin", target: "The lamp is green" }, 'Pinned <id> for agent "pin".'],
    [{ ...a, action: "unpin", text: "The lamp is green" }, 'Unpinned <id> for agent "pin".'],
    [{ ...a, action: "link", text: "lamp", target: "hall" }, 'Linked "lamp" to "hall" (related_to) for agent "pin".'],
    [
      { ...a, action: "forget", target: "the lamp" },
      'Cannot forget: no memory of agent "pin" matches "the lamp"\nThe closest is "The lamp is green" (id <id>); give its exact text or its id',
    ],
    [{ ...a, action: "forget", target: "The lamp is green" }, 'Forgotten for agent "pin" (id <id>).'],
    [
      { agent_id: "pin nobody", action: "update", target: "xyzzy", text: "x" },
      'Cannot update: no memory of agent "pin nobody" matches "xyzzy"\nSearch first, then give the fact\'s exact text or its id',
    ],
    [{ action: "pin", target: "x" }, "Cannot pin: agent_id must be given (was missing)"],
    [{ ...a, action: "update", text: "x" }, "Cannot update: target must be given (was missing)"],
    [{ ...a, action: "forget" }, "Cannot forget: text must be given (was missing)"],
    [
      { ...a, action: "link", text: "x", target: "y", relation: "" },
      "Cannot link: relation must be given (was missing)",
    ],
    [
      { ...a, action: "shout" },
      'Cannot correct memory: action must be "add", "forget", "link", "pin", "unpin" or "update" (was "shout")',
    ],
  ]));

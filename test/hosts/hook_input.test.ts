// What each host sends, as its documentation has it, and what is none of it.
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { isWhole, readHookInput } from "../../src/hosts/hook_input.ts";

const nothing = { sessionId: "", cwd: undefined, prompt: "", reason: "", transcript: undefined };

const SENT: Readonly<Record<string, readonly [given: object, read: object]>> = {
  "Claude Code, SessionStart": [
    {
      session_id: "s",
      transcript_path: "/t.jsonl",
      cwd: "/p",
      permission_mode: "default",
      hook_event_name: "SessionStart",
      source: "compact",
    },
    { sessionId: "s", transcript: "/t.jsonl", cwd: "/p", reason: "compact" },
  ],
  "Claude Code, UserPromptSubmit": [
    { session_id: "s", transcript_path: "/t.jsonl", cwd: "/p", hook_event_name: "UserPromptSubmit", prompt: "go on" },
    { sessionId: "s", transcript: "/t.jsonl", cwd: "/p", prompt: "go on" },
  ],
  "Claude Code, PreCompact": [
    { session_id: "s", cwd: "/p", hook_event_name: "PreCompact", trigger: "auto", custom_instructions: "" },
    { sessionId: "s", cwd: "/p", reason: "auto" },
  ],
  "Claude Code, SessionEnd": [
    { session_id: "s", cwd: "/p", hook_event_name: "SessionEnd", reason: "logout" },
    { sessionId: "s", cwd: "/p", reason: "logout" },
  ],
  "Codex": [
    {
      session_id: "s",
      turn_id: "t",
      transcript_path: null,
      cwd: "/p",
      hook_event_name: "UserPromptSubmit",
      model: "m",
      prompt: "go",
    },
    { sessionId: "s", cwd: "/p", prompt: "go" },
  ],
  "Gemini CLI": [
    {
      session_id: "s",
      transcript_path: "/t.json",
      cwd: "/p",
      hook_event_name: "BeforeAgent",
      timestamp: "2026-01-01T00:00:00Z",
      prompt: "go",
    },
    { sessionId: "s", transcript: "/t.json", cwd: "/p", prompt: "go" },
  ],
  "Cursor": [
    {
      conversation_id: "c",
      generation_id: "g",
      hook_event_name: "sessionStart",
      workspace_roots: ["/p", "/q"],
      user_email: null,
    },
    { sessionId: "c", cwd: "/p" },
  ],
};

for (const [name, [given, read]] of Object.entries(SENT)) {
  test(`readHookInput: ${name}`, () => assertEquals(readHookInput(JSON.stringify(given)), { ...nothing, ...read }));
}

test("readHookInput of anything else is an empty input", () => {
  for (const text of ["", "x", "[]", "null", "7", '{"session_id": 7, "workspace_roots": [1]}']) {
    assertEquals(readHookInput(text), nothing, text);
  }
  assertEquals(readHookInput('\ufeff{"prompt":"x"}').prompt, "x");
});

test("isWhole tells a whole object from a part of one", () => {
  assertEquals(['{"a":1}', ' {"a":{}} \n'].map(isWhole), [true, true]);
  assertEquals(["", "{", '{"a":{}', '{"a":1', "[1]", "{}"].map(isWhole), [false, false, false, false, false, false]);
});

// What a text asks for or gives, by its cues.
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { asksWhen, isQuestion, saysWhen, speakerOf } from "../../src/language/cues.ts";

const sorted = (check: (text: string) => boolean, yes: readonly string[], no: readonly string[]) => {
  assertEquals([...yes, ...no].filter(check), yes);
};

test("asksWhen: questions for a time", () => {
  sorted(asksWhen, [
    "When did Ann move?",
    "what day is the launch",
    "Which year was it?",
    "how long ago",
    "How many months did it take?",
  ], ["whenever you like", "What daytime job", "how many people came", "which port", ""]);
});

test("saysWhen: facts that name a time", () => {
  sorted(saysWhen, [
    "Moved yesterday",
    "on the 3rd",
    "in 2024",
    "at 9:30",
    "Mondays off",
    "two weeks ago",
    "since then",
  ], ["Port 80 is open", "id 20241", "a lasting effect", "monolith", ""]);
});

test("isQuestion: ends as one, a trailing note in brackets aside", () => {
  sorted(isQuestion, ["Why?", "why ？ ", "لماذا؟", "Ready? [laughs]"], ["Why? Because.", "No.", "a?b", ""]);
});

for (
  const [text, speaker] of [
    ["Ann: hello", "Ann"],
    ["Ann Lee: hello", "Ann"],
    ["Дмитрий: привет", "Дмитрий"],
    ["Agent_2: done", "Agent_2"],
    ["ann: hello", undefined],
    ["Ann:hello", undefined],
    ["Note to self: buy milk", undefined],
    ["https://x: y", undefined],
    [" Ann: hello", undefined],
  ] as const
) {
  test(`speakerOf ${JSON.stringify(text)} is ${speaker}`, () => assertEquals(speakerOf(text), speaker));
}

// The commands about agent hosts: their words and flags here, what they do loaded when one is asked for.
import { type Command, type Flags, STORE_FLAGS } from "./command.ts";

const ASKING: Flags = {
  host: { type: "string", value: "A,B", summary: "These hosts, by id; default: those found" },
  yes: { type: "boolean", summary: "Do not ask" },
  "dry-run": { type: "boolean", summary: "Only show what would change" },
  json: { type: "boolean", summary: "Print the changes as JSON" },
};

export const HOST_COMMANDS: readonly Command[] = [
  {
    name: "init",
    summary: "Give the agent hosts on this machine a memory",
    flags: {
      ...ASKING,
      scope: {
        type: "string",
        value: "user|project",
        summary: "For every project of yours (the default), or this one",
      },
      print: { type: "boolean", summary: "Only print what to paste where" },
      hooks: { type: "boolean", summary: "--no-hooks leaves hooks out" },
      instructions: { type: "boolean", summary: "--no-instructions leaves CLAUDE.md and its like as they are" },
      store: { type: "string", value: "PATH", summary: "The store that the hosts shall use; default: the usual one" },
    },
    run: async (input) => (await import("./init.ts")).init(input),
  },
  {
    name: "uninstall",
    summary: "Take back what init wrote; memories stay",
    flags: ASKING,
    run: async (input) => (await import("./uninstall.ts")).uninstall(input),
  },
  {
    name: "doctor",
    summary: "Find what keeps an agent from remembering, and what to do about it",
    flags: {
      host: { type: "string", value: "A,B", summary: "These hosts, by id; default: those found" },
      fix: { type: "boolean", summary: "Do what can be done" },
      json: { type: "boolean", summary: "Print the findings as JSON" },
      ...STORE_FLAGS,
    },
    run: async (input) => (await import("./doctor.ts")).doctor(input),
  },
  {
    name: "plugin",
    summary: "Write a Claude Code plugin into a folder: server, hooks, skill and slash commands in one",
    positionals: "FOLDER",
    flags: { store: { type: "string", value: "PATH", summary: "The store that it shall use; default: the usual one" } },
    run: async (input) => (await import("./plugin.ts")).plugin(input),
  },
  {
    name: "hook",
    summary: "What hosts run at a session's events: session-start, prompt, pre-compact, session-end",
    positionals: "EVENT",
    harmless: true,
    flags: {
      host: { type: "string", value: "ID", summary: "The host that runs it" },
      store: { type: "string", value: "PATH", summary: "The store; default: the usual one" },
    },
    run: async (input) => (await import("./hook.ts")).hook(input),
  },
];

// The commands that read memory as a person does: their words and flags; what they do is loaded when one is asked for.
import { type Command, type Flags, STORE_FLAGS } from "./command.ts";

const AGENT: Flags = {
  "agent-id": { type: "string", value: "TEXT", summary: "Whose memory; default: the agent of this folder's project" },
};
const SHOWN: Flags = { json: { type: "boolean", summary: "Print the structured result" }, ...STORE_FLAGS };

export const READ_COMMANDS: readonly Command[] = [
  {
    name: "list",
    summary: "List facts, newest first",
    flags: {
      ...AGENT,
      all: { type: "boolean", summary: "Of every agent" },
      retired: { type: "boolean", summary: "Updated and forgotten ones too" },
      pinned: { type: "boolean", summary: "Only pinned ones, or with --no-pinned only others" },
      confidence: { type: "string", value: "verified|inferred|unverified", summary: "Only facts as sure as this" },
      since: { type: "string", value: "TIME", summary: "Only facts told from this time or date on" },
      until: { type: "string", value: "TIME", summary: "Only facts told up to this time" },
      holding: { type: "string", value: "TEXT", summary: "Only facts that hold this text" },
      limit: { type: "string", value: "N", summary: "At most so many (default 50)" },
      offset: { type: "string", value: "N", summary: "Leave out so many of the newest" },
      ...SHOWN,
    },
    run: async (input) => (await import("./reading.ts")).list(input),
  },
  {
    name: "show",
    summary: "Show one fact with all that is known of it",
    positionals: "FACT_ID",
    flags: SHOWN,
    run: async (input) => (await import("./reading.ts")).show(input),
  },
  {
    name: "history",
    summary: "Show what a fact replaced and what replaced it",
    positionals: "FACT_ID",
    flags: SHOWN,
    run: async (input) => (await import("./reading.ts")).history(input),
  },
  {
    name: "undo",
    summary: "Take back the last update or forget",
    flags: { ...AGENT, ...SHOWN },
    run: async (input) => (await import("./reading.ts")).takeBack(input),
  },
  {
    name: "status",
    summary: "Show on one screen what is remembered, how it grows, and what hooks give to models",
    flags: SHOWN,
    run: async (input) => (await import("./status.ts")).status(input),
  },
];

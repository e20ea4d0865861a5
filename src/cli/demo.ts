// `holdfast demo`: a tour in a store of its own, through a real client and two real servers.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import process from "node:process";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { VERSION } from "../core/version.ts";
import type { Command } from "./command.ts";
import { print } from "./output.ts";
import { selfCommand } from "./self.ts";

const AGENT = "lighthouse-api";
const OLD = "The staging database listens on port 5432";
const NEW = "The staging database listens on port 6543, behind the pooler";

export const demo: Command = {
  name: "demo",
  summary: "Show what an agent's memory does, in a temporary store",
  flags: {},
  async run() {
    const folder = mkdtempSync(`${tmpdir()}/holdfast-demo-`);
    process.once("SIGINT", () => {
      rmSync(folder, { recursive: true, force: true });
      process.kill(process.pid, "SIGINT");
    });
    try {
      await tour(`${folder}/demo.db`);
      return 0;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function tour(store: string): Promise<void> {
  print(`Holdfast ${VERSION}: an agent tells its memory three facts.`);
  const morning = await connect(store);
  await morning.call("memory_add", { agent_id: AGENT, text: OLD });
  await morning.call("memory_add", {
    agent_id: AGENT,
    text: "Deploys to production need two approvals, one from the on-call engineer",
  });
  await morning.call("memory_add", { agent_id: AGENT, text: "The team writes dates as 2026-12-01, never 12/1" });
  print("\nLater it asks in other words.");
  await morning.call("memory_search", {
    agent_id: AGENT,
    query: "Who has to approve deploying to production?",
    top_k: 1,
  });
  print("\nA fact changes: the new one takes the old one's place.");
  await morning.call("memory_reflect", { action: "update", agent_id: AGENT, target: OLD, text: NEW });
  await morning.call("memory_search", { agent_id: AGENT, query: "which port is the staging database on?", top_k: 1 });
  print("\nBefore it stops, it saves where it stands.");
  await morning.call("checkpoint_save", {
    agent_id: AGENT,
    state: { goal: "move staging behind the pooler", next: "update the runbook" },
  });
  await morning.close();
  print("\nThat process is gone. A new one resumes.");
  const evening = await connect(store);
  await evening.call("checkpoint_resume", { agent_id: AGENT });
  print("\nAnd forgets what no longer holds.");
  await evening.call("memory_reflect", { action: "forget", agent_id: AGENT, target: NEW });
  await evening.call("memory_search", { agent_id: AGENT, query: "which port is the staging database on?" });
  await evening.close();
}

async function connect(store: string) {
  const { command, args } = selfCommand();
  const client = new Client({ name: "holdfast-demo", version: VERSION });
  await client.connect(new StdioClientTransport({ command, args: [...args, "mcp", "--store", store] }));
  return {
    async call(name: string, args: Record<string, unknown>): Promise<void> {
      print(`→ ${name} ${Object.entries(args).map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(" ")}`);
      const { content, isError } = await client.callTool({ name, arguments: args });
      for (const part of content) if (part.type === "text") print(part.text.replace(/^(?=.)/gm, "  "));
      if (isError) throw new Error(`${name} failed`);
    },
    close: () => client.close(),
  };
}

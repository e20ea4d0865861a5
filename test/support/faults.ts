// A healthy store to spoil, and what must hold of the server whatever is wrong with it.
import { cpSync } from "node:fs";
import { dirname, join } from "node:path";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type Server, withServer } from "./stdio.ts";
import { temporaryFolder } from "./temporary.ts";

export const FACT = "The gateway listens on port 7410";
export const ASK = { agent_id: "a", query: "which port does the gateway use" };
export const tell = (text: string) => ({ agent_id: "a", text });
export const LARGE = "lorem ipsum dolor sit amet ".repeat(500);

/** A folder with a healthy store, to be copied. */
export const healthy = temporaryFolder();
/** Fills it; before the first copy. */
export const prepare = () =>
  withServer({ store: join(healthy, "store.db") }, async (server) => {
    await server.good("memory_add", tell(FACT));
    for (let at = 0; at < 20; at++) await server.good("memory_add", { agent_id: "b", text: `${at} ${LARGE}` });
    await server.good("checkpoint_save", { agent_id: "a", state: { step: 3 } });
  });

export function copyOf(): string {
  const folder = temporaryFolder();
  cpSync(healthy, folder, { recursive: true });
  return join(folder, "store.db");
}

export const TOOLS = [
  ["memory_search", ASK, "Cannot search memory"],
  ["memory_add", tell("Told in vain"), "Cannot store the memory"],
  ["checkpoint_save", { agent_id: "a", state: {} }, "Cannot save checkpoint"],
  ["checkpoint_resume", { agent_id: "a", on_missing: "empty" }, "Cannot resume checkpoint"],
  ["memory_reflect", { action: "forget", agent_id: "a", target: FACT }, "Cannot correct memory"],
] as const;
export const WRITES = TOOLS.filter(([name]) => !/search|resume/.test(name));

/** Each of the tools tells this fault, and nothing of where the store is. */
export async function assertFault(
  server: Server,
  store: string,
  fault: string,
  tools: readonly (typeof TOOLS)[number][] = TOOLS,
) {
  for (const [name, args, failure] of tools) {
    const text = await server.fault(name, args);
    assertStringIncludes(text, `${failure} for agent "a": ${fault}`);
    assertMatch(text, /^[^\n]+\n[A-Z][^\n]+$/);
    for (const secret of [store, dirname(store), "SQLITE", "Error:", "    at "]) assert(!text.includes(secret), text);
  }
}

export async function assertIntact(server: Server) {
  assertEquals((await server.good("memory_search", ASK))["facts"], [FACT]);
  assertEquals((await server.good("checkpoint_resume", { agent_id: "a" }))["state"], { step: 3 });
}

export async function assertUsable(server: Server) {
  await assertIntact(server);
  const { fact_id } = await server.good("memory_add", tell("Told when all was well again"));
  await server.good("memory_reflect", { action: "forget", agent_id: "a", target: fact_id });
}

export const NOT_DATABASE = "cannot open the store: its file is not a database";
export const DAMAGED = "cannot read the store: its file is damaged";
export const DENIED = "cannot open the store: access to its file or directory is denied";
export const MISSING = "cannot open the store: its directory does not exist and cannot be made";
export const READ_ONLY = "cannot write to the store: its file or directory is read-only";
export const FULL = "cannot write to the store: no space left on its disk";
export const LOST = "cannot use the store: its file was removed or replaced while in use";

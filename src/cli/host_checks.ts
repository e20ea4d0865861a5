// What can be wrong between a host and Holdfast: its entry, the command in it, instructions and hooks.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { performance } from "node:perf_hooks";
import { type Edit, editsOf, readText } from "../hosts/edits.ts";
import { planMaking } from "../hosts/plan.ts";
import { openLedger } from "../hosts/ledger.ts";
import { commandOf, hookCommand } from "../hosts/shapes.ts";
import { type Check, type Finding, note, ok, type Patient, problem } from "./finding.ts";

/** Longest wait for a server's list of tools, in milliseconds. */
const PATIENCE = 10_000;
/** What the hosts' own time limits and a person's patience leave a hook, in milliseconds. */
const HOOK_LIMIT = 800;

export const HOST_CHECKS: readonly Check[] = [
  { id: "hosts", run: hosts },
];

async function hosts(patient: Patient): Promise<readonly Finding[]> {
  if (patient.hosts.length === 0) return [problem("No program that runs agents was found", "holdfast init --host ID")];
  const findings: Finding[] = [];
  for (const host of patient.hosts) {
    const wanted = { start: patient.here.start, agentId: patient.here.agentId, hooks: true, instructions: true };
    const scopes = (["project", "user"] as const).map((scope) =>
      editsOf(host, { ...wanted, scope }, patient.here.ground)
    );
    const states = await Promise.all(scopes.map((edits) => Promise.all(edits.map(stateOf))));
    // Set up for the project, for the user, or (told as missing for the user) not at all.
    const at = states.findIndex((some) =>
      some.some(({ edit, state }) => edit.what === "server" && state !== "missing")
    );
    for (const one of states[at < 0 ? states.length - 1 : at] ?? []) findings.push(...await judge(patient, one));
  }
  return findings;
}

interface Stated {
  readonly edit: Edit;
  readonly state: "missing" | "other" | "present" | "unreadable";
  readonly text: string;
}

async function stateOf(edit: Edit): Promise<Stated> {
  let text = "";
  try {
    text = readText(edit.path)?.replace("\ufeff", "") ?? "";
    return { edit, state: await edit.state(text), text };
  } catch {
    return { edit, state: "unreadable", text };
  }
}

async function judge(patient: Patient, { edit, state, text }: Stated): Promise<Finding[]> {
  const { host, what, path } = edit;
  const hint = `holdfast init --host ${host.id}`;
  const repair = () => write(patient, edit);
  const name = `${host.name}, ${what}`;
  if (state === "unreadable") {
    return [problem(`${name}: ${path} cannot be read`, `${hint} says where, and what to paste`)];
  }
  if (state === "missing" && what === "server") return [problem(`${name}: Holdfast is not in ${path}`, hint, repair)];
  if (state === "missing") return [problem(`${name}: not in ${path}`, hint, repair)];
  const current = state === "present"
    ? ok(`${name}: in place, ${path}`)
    : problem(`${name}: ${path} has it in another form than this Holdfast writes`, hint, repair);
  if (what === "server") return [current, await answering(host.name, await edit.entry?.(text), { hint, repair })];
  return what === "hooks" ? [current, await timed(patient, edit)] : [current];
}

async function write({ here }: Patient, edit: Edit): Promise<void> {
  for (const change of await planMaking([edit])) {
    if (!change.fault) openLedger(here.ledger).write(change, here.ground.project);
  }
}

/** Starts the very command that the host would, and asks for its tools. */
async function answering(
  name: string,
  entry: unknown,
  { hint, repair }: { readonly hint: string; readonly repair: () => Promise<void> },
): Promise<Finding> {
  const start = commandOf(entry);
  if (!start) return problem(`${name}: its entry has no command`, hint, repair);
  const missing = [start.command, ...start.args.slice(0, 1)].find((word) => isAbsolute(word) && !existsSync(word));
  if (missing !== undefined) return problem(`${name}: its command is gone (${missing})`, hint, repair);
  const [{ Client }, { StdioClientTransport }] = await Promise.all([
    import("@modelcontextprotocol/client"),
    import("@modelcontextprotocol/client/stdio"),
  ]);
  const client = new Client({ name: "holdfast-doctor", version: "1" });
  const begun = performance.now();
  try {
    const { command, args, env } = start;
    await client.connect(new StdioClientTransport({ command, args: [...args], env, stderr: "ignore" }), {
      timeout: PATIENCE,
    });
    const { tools } = await client.listTools({}, { timeout: PATIENCE });
    return ok(`${name}: its command answers with ${tools.length} tools in ${Math.round(performance.now() - begun)} ms`);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    return problem(`${name}: its command does not answer (${reason})`, hint, repair);
  } finally {
    await client.close().catch(() => {});
  }
}

async function timed({ here, config }: Patient, { host }: Edit): Promise<Finding> {
  if (!existsSync(config.store)) return note(`${host.name}: its hook was not timed: it would make the store`);
  if (!host.hooks?.events["session-start"]) return note(`${host.name}: has no hook at a session's start to time`);
  const { ms, said } = await runHook(hookCommand(here.start, "session-start", host.id), here.ground.project);
  if (ms > HOOK_LIMIT) {
    return problem(
      `${host.name}: its hook took ${ms} ms`,
      "The machine may be busy: try again; hooks that take longer say nothing",
    );
  }
  if (said) return ok(`${host.name}: its hook answers in ${ms} ms`);
  return problem(`${host.name}: its hook says nothing`, "hooks/log in Holdfast's data folder has the reason");
}

function runHook(command: string, cwd: string): Promise<{ readonly ms: number; readonly said: boolean }> {
  const begun = performance.now();
  const child = spawn(command, { shell: true, cwd, stdio: ["pipe", "pipe", "ignore"] });
  let said = false;
  child.stdout.on("data", () => said = true);
  child.stdin.on("error", () => {});
  child.stdin.end(JSON.stringify({ cwd }));
  const done = () => ({ ms: Math.round(performance.now() - begun), said });
  return new Promise((resolve) => {
    child.on("error", () => resolve(done()));
    child.on("close", () => resolve(done()));
  });
}

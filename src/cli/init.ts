// `holdfast init`: finds the programs that run agents and gives each a memory, after showing what changes.
import { CODES, MemoryError } from "../core/errors.ts";
import { type Edit, editsOf } from "../hosts/edits.ts";
import { type Host, HOSTS } from "../hosts/hosts.ts";
import { openLedger } from "../hosts/ledger.ts";
import { type Change, planMaking } from "../hosts/plan.ts";
import { agreed, printChanges, wireChange } from "./changes.ts";
import type { Input } from "./command.ts";
import { chosenHosts, type Machine, machine, scopeOf } from "./machine.ts";
import { print, printJson } from "./output.ts";

export async function init(input: Input): Promise<number> {
  const { flags } = input;
  const here = machine(input);
  const scope = scopeOf(flags["scope"]);
  const hosts = chosenHosts(flags["host"], here.ground, scope);
  const wanted = {
    scope,
    start: here.start,
    agentId: here.agentId,
    hooks: flags["hooks"] !== false,
    instructions: flags["instructions"] !== false,
  };
  const edits = hosts.flatMap((host) => editsOf(host, wanted, here.ground));
  if (edits.length === 0) throw nothing(hosts, scope);
  if (flags["print"] === true) return await printSnippets(edits), 0;
  const changes = await planMaking(edits);
  return await settle(input, here, {
    hosts: hosts.filter((host) => edits.some((edit) => edit.host === host)),
    changes,
  });
}

interface Found {
  readonly hosts: readonly Host[];
  readonly changes: readonly Change[];
}

async function settle(
  { flags }: Input,
  { ground, ledger, agentId }: Machine,
  { hosts, changes }: Found,
): Promise<number> {
  const json = flags["json"] === true;
  const fit = changes.filter(({ fault }) => fault === undefined);
  if (!json) {
    print(`Found ${hosts.map(({ name }) => name).join(", ")}.\n`);
    printChanges(changes);
  }
  const write = fit.length > 0 && flags["dry-run"] !== true && await agreed(flags, `Write ${count(fit.length)}?`);
  if (write) { for (const change of fit) openLedger(ledger).write(change, ground.project); }
  if (json) {
    const wire = {
      agent_id: agentId,
      hosts: hosts.map(({ id }) => id),
      changes: changes.map(wireChange),
      written: write,
    };
    printJson(wire);
  } else if (write || (changes.length === 0 && flags["dry-run"] !== true)) print(advice(hosts, fit.length, ledger));
  else if (fit.length > 0) print("Nothing was written.");
  return changes.length > fit.length ? CODES.conflict.exit : 0;
}

function advice(hosts: readonly Host[], written: number, ledger: string): string {
  return [
    written === 0
      ? "Everything is in place already."
      : `Wrote ${count(written)}; the files as they were are in ${ledger}.`,
    "",
    "Now, so that it takes effect:",
    ...hosts.map(({ name, restart }) => `  ${name}: ${restart}.`),
    "",
    'Then ask the agent: "What do you remember about this project?"',
  ].join("\n");
}

async function printSnippets(edits: readonly Edit[]): Promise<void> {
  for (const edit of edits) {
    print(`${edit.host.name}, ${edit.what}: ${edit.path}\n\n${(await edit.snippet()).trimEnd()}\n`);
  }
}

function nothing(hosts: readonly Host[], scope: string): MemoryError {
  if (hosts.length > 0) {
    const names = hosts.map(({ name }) => name).join(", ");
    return new MemoryError(
      "no_match",
      `Cannot set up ${names} for ${scope === "user" ? "the user" : "one project"}: it has no such file`,
      {
        hint: `holdfast init --scope ${scope === "user" ? "project" : "user"}`,
      },
    );
  }
  return new MemoryError("no_match", "No program that runs agents was found on this machine", {
    hint: `Name one: holdfast init --host ${HOSTS.map(({ id }) => id).join("|")}`,
  });
}

function count(files: number): string {
  return files === 1 ? "one file" : `${files} files`;
}

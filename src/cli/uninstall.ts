// `holdfast uninstall`: takes back what init wrote, to the byte where nobody touched the file since.
import { CODES } from "../core/errors.ts";
import { editsOf } from "../hosts/edits.ts";
import { HOSTS } from "../hosts/hosts.ts";
import { openLedger } from "../hosts/ledger.ts";
import { planUnmaking } from "../hosts/plan.ts";
import { agreed, printChanges, wireChange } from "./changes.ts";
import type { Input } from "./command.ts";
import { machine, namedHosts } from "./machine.ts";
import { print, printJson } from "./output.ts";

export async function uninstall(input: Input): Promise<number> {
  const { flags } = input;
  const { ground, start, agentId, ledger: folder } = machine(input);
  const ledger = openLedger(folder);
  const hosts = namedHosts(flags["host"]) ?? HOSTS;
  const projects = [...new Set([ground.project, ...ledger.written().map(({ project }) => project)])];
  const wanted = { start, agentId, hooks: true, instructions: true };
  const edits = hosts.flatMap((host) => [
    ...editsOf(host, { ...wanted, scope: "user" }, ground),
    ...projects.flatMap((project) => editsOf(host, { ...wanted, scope: "project" }, { ...ground, project })),
  ]);
  const changes = await planUnmaking(edits, ledger);
  const json = flags["json"] === true;
  if (!json) printChanges(changes);
  const fit = changes.filter(({ fault }) => fault === undefined);
  const write = fit.length > 0 && flags["dry-run"] !== true && await agreed(flags, "Take this out?");
  if (write) { for (const { real, after } of fit) ledger.giveBack(real, after); }
  if (json) printJson({ changes: changes.map(wireChange), written: write });
  else if (changes.length === 0) print("Nothing of Holdfast is in any host's files.");
  else print(write ? "Done. Your memories are where they were." : "Nothing was written.");
  return changes.length > fit.length ? CODES.conflict.exit : 0;
}

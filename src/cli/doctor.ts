// `holdfast doctor`: walks the chain from the program to the facts, says what is wrong and what to do, and does it if asked.
import { readConfig } from "../core/config.ts";
import { toMemoryError } from "../core/errors.ts";
import { type Input, settingsIn } from "./command.ts";
import { type Check, type Finding, type Patient, problem } from "./finding.ts";
import { HOST_CHECKS } from "./host_checks.ts";
import { chosenHosts, machine } from "./machine.ts";
import { print, printJson } from "./output.ts";
import { PROGRAM_CHECK } from "./program_check.ts";
import { STORE_CHECKS } from "./store_checks.ts";

/** In the order of the chain: what fails first explains what fails after it. */
const CHECKS: readonly Check[] = [PROGRAM_CHECK, ...STORE_CHECKS, ...HOST_CHECKS];

const MARKS: Readonly<Record<Finding["status"], string>> = { ok: "✓", note: "·", problem: "✗" };

type Found = Finding & { readonly check: string };

/** 0 where nothing is left to do, 1 where something is. */
export async function doctor(input: Input): Promise<number> {
  const { flags } = input;
  const here = machine(input);
  const config = readConfig(settingsIn(flags));
  const patient: Patient = { here, config, hosts: chosenHosts(flags["host"], here.ground, "user") };
  const json = flags["json"] === true;
  const show = json ? () => {} : tell;
  let found = await examine(patient, show);
  const repairable = found.filter(({ repair }) => repair !== undefined);
  if (flags["fix"] === true && repairable.length > 0) {
    if (!json) print(`\nMending ${repairable.length}, then looking again.\n`);
    for (const { repair } of repairable) await repair?.();
    found = await examine(patient, show);
  }
  const problems = found.filter(({ status }) => status === "problem");
  if (json) printJson({ problems: problems.length, findings: found.map(wire) });
  else print(`\n${problems.length === 0 ? "Nothing to do." : summary(problems, flags["fix"] === true)}`);
  return problems.length === 0 ? 0 : 1;
}

async function examine(patient: Patient, show: (finding: Finding) => void): Promise<Found[]> {
  const all: Found[] = [];
  for (const { id, run } of CHECKS) {
    for (const finding of await run(patient).catch(failed)) {
      show(finding);
      all.push({ ...finding, check: id });
    }
  }
  return all;
}

/** A check that cannot be made is what it found. */
function failed(thrown: unknown): Finding[] {
  const { message, hint, cause } = toMemoryError(thrown);
  return [problem(message, hint ?? (cause === undefined ? "Look at the message above" : String(cause)))];
}

function tell({ status, message, hint }: Finding): void {
  print(`${MARKS[status]} ${message}${hint === undefined ? "" : `\n  Try: ${hint}`}`);
}

function summary(problems: readonly Finding[], fixed: boolean): string {
  const count = problems.length === 1 ? "One thing" : `${problems.length} things`;
  const mendable = problems.some(({ repair }) => repair !== undefined);
  return `${count} to do.${mendable && !fixed ? " `holdfast doctor --fix` does what can be done." : ""}`;
}

function wire({ check, status, message, hint, repair }: Found): Readonly<Record<string, unknown>> {
  return { check, status, message, ...(hint === undefined ? {} : { hint }), fixable: repair !== undefined };
}

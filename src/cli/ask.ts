// Questions to a person at a terminal; nobody is asked where there is none.
import process from "node:process";

export function isInteractive(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** False where the person says no or leaves. */
export async function confirm(message: string): Promise<boolean> {
  const prompts = await import("@clack/prompts");
  const answer = await prompts.confirm({ message, output: process.stderr });
  return answer === true;
}

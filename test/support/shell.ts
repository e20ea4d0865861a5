// The program as a person runs it: words in, both outputs and the exit status out.
import { spawn } from "node:child_process";
import { COMMAND, FIRST } from "./program.ts";
import { bytesOf, surroundings } from "./stdio.ts";

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `holdfast WORDS`, on this store unless the words name another. */
export async function holdfast(
  store: string,
  words: readonly string[],
  env: Record<string, string> = {},
): Promise<Ran> {
  const child = spawn(COMMAND, [...FIRST, ...words], { env: surroundings({ HOLDFAST_STORE: store, ...env }) });
  child.stdin.end();
  const status = new Promise<number | null>((resolve) => child.on("close", resolve));
  const [stdout, stderr] = await Promise.all([bytesOf(child.stdout), bytesOf(child.stderr)]);
  return { status: await status, stdout, stderr };
}

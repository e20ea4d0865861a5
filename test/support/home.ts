// A home of a user's own with one project in it, and the program run there with nothing else in its surroundings.
import { spawn } from "node:child_process";
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { COMMAND, FIRST } from "./program.ts";
import type { Ran } from "./shell.ts";
import { bytesOf } from "./stdio.ts";
import { temporaryFolder } from "./temporary.ts";

export interface Home {
  readonly home: string;
  run(words: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ran>;
}

export function newHome(): Home {
  const home = realpathSync(temporaryFolder());
  const cwd = join(home, "my-app");
  mkdirSync(cwd);
  return {
    home,
    async run(words, env = {}) {
      const child = spawn(COMMAND, [...FIRST, ...words], {
        cwd,
        env: { HOME: home, PATH: home, ...env },
      });
      child.stdin.end();
      const status = new Promise<number | null>((resolve) => child.on("close", resolve));
      const [stdout, stderr] = await Promise.all([bytesOf(child.stdout), bytesOf(child.stderr)]);
      return { status: await status, stdout, stderr };
    },
  };
}

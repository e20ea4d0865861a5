// The Holdfast that tests start: the sources on this runtime, or the executable that HOLDFAST_PROGRAM names.
import process from "node:process";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const executable = process.env["HOLDFAST_PROGRAM"];

export const COMMAND: string = executable ? resolve(executable) : process.execPath;

/** What stands before the program's own words. */
export const FIRST: readonly string[] = executable
  ? []
  : [fileURLToPath(new URL("../../src/main.ts", import.meta.url))];

/** The same for a shell. */
export const SHELL_WORDS: string = [COMMAND, ...FIRST].map((word) => `'${word}'`).join(" ");

export const EXECUTABLE: boolean = Boolean(executable);

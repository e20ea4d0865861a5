// How to start this same program again.
import process from "node:process";

/** The program and its first arguments: the runtime and a script, or the executable alone. */
export function selfCommand(): { readonly command: string; readonly args: readonly string[] } {
  const script = process.argv[1];
  return {
    command: process.execPath,
    args: script === undefined || script === process.execPath ? [] : [...process.execArgv, script],
  };
}

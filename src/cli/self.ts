// How to start this same program again.
import process from "node:process";

/** The program and its first arguments: the runtime and a script, or the executable alone. */
export function selfCommand(): { readonly command: string; readonly args: readonly string[] } {
  const script = process.argv[1];
  const command = process.execPath;
  if (script === undefined || script === command) return { command, args: [] };
  // Deno tells no flags of its own: without these a program started again may do nothing.
  const runtime = "deno" in process.versions ? ["run", "--allow-all"] : process.execArgv;
  return { command, args: [...runtime, script] };
}

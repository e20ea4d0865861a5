// How to start this same program again.
import process from "node:process";
import { isStandalone } from "../core/assets.ts";

/** The program and its first arguments: the runtime and a script, or the executable alone. */
export function selfCommand(): { readonly command: string; readonly args: readonly string[] } {
  const [command, script] = [process.execPath, process.argv[1]];
  if (isStandalone || script === undefined) return { command, args: [] };
  // Deno tells no flags of its own: without these a program started again may do nothing.
  const runtime = "deno" in process.versions ? ["run", "--allow-all"] : process.execArgv;
  return { command, args: [...runtime, script] };
}

/** The file that this program is: the executable, or the script that was started. */
export function programFile(): string {
  return isStandalone ? process.execPath : process.argv[1] ?? process.execPath;
}

// `holdfast daemon start`, `stop` and `status`: what a person asks of a daemon from outside.
import { readConfig } from "../core/config.ts";
import { placeOf } from "../daemon/place.ts";
import { find, findAny, startDaemon, stopDaemon } from "../daemon/spawn.ts";
import { type Input, settingsIn } from "./command.ts";
import { idleIn } from "./daemon_run.ts";
import { show } from "./daemon_status.ts";
import { print, printJson } from "./output.ts";
import { selfCommand } from "./self.ts";

export async function start({ flags }: Input): Promise<number> {
  const place = placeOf(readConfig(settingsIn(flags)));
  idleIn(flags);
  const running = await find(place);
  if (running) return await show(running, flags, "A daemon for this store runs already");
  const { command, args } = selfCommand();
  const started = await startDaemon(place, { command, args: [...args, "daemon", "run", ...runFlags(flags)] });
  return await show(started, flags, "The daemon is ready");
}

export async function stop({ flags }: Input): Promise<number> {
  const pid = await stopDaemon(placeOf(readConfig(settingsIn(flags))));
  if (pid === undefined) return none(flags);
  if (flags["json"] === true) printJson({ running: false, pid });
  else print(`The daemon (process ${pid}) has stopped.`);
  return 0;
}

export async function status({ flags }: Input): Promise<number> {
  const found = await findAny(placeOf(readConfig(settingsIn(flags))));
  return found ? await show(found, flags, undefined) : none(flags);
}

function none(flags: Input["flags"]): number {
  if (flags["json"] === true) printJson({ running: false });
  else print("No daemon runs for this store.");
  return 0;
}

/** What was given, for the daemon's own command line. */
function runFlags(flags: Input["flags"]): string[] {
  return Object.entries(flags).flatMap(([name, value]) =>
    name === "json" || value === undefined ? [] : value === true ? [`--${name}`] : [`--${name}`, String(value)]
  );
}

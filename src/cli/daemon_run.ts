// `holdfast daemon run`: a daemon's life in this process.
import process from "node:process";
import { readConfig, silenceDriver } from "../core/config.ts";
import { MemoryError } from "../core/errors.ts";
import { placeOf } from "../daemon/place.ts";
import { runDaemon } from "../daemon/run.ts";
import { type Input, settingsIn } from "./command.ts";
import { httpIn } from "./daemon_http.ts";
import { openParts } from "./daemon_parts.ts";
import { printNote } from "./output.ts";

const MINUTE = 60_000;

export async function run({ flags }: Input): Promise<number> {
  silenceDriver();
  const config = readConfig(settingsIn(flags));
  const place = placeOf(config);
  const http = httpIn(flags, place.directory);
  await runDaemon({
    place,
    idle: idleIn(flags),
    open: (life) => openParts(config, life, http),
    ready: () => printNote(`The daemon of ${config.store} is ready (process ${process.pid})`),
  });
  return 0;
}

/** @throws MemoryError invalid_argument */
export function idleIn(flags: Input["flags"]): number {
  const given = flags["idle"]?.toString() ?? "10";
  if (/^\d{1,6}(\.\d+)?$/.test(given)) return Number(given) * MINUTE;
  throw new MemoryError("invalid_argument", `Cannot use "${given}" as --idle: it is a number of minutes, 0 for never`);
}

// Whether the store's daemon, where one runs, answers and is this version.
import { VERSION } from "../core/version.ts";
import { reach } from "../daemon/client.ts";
import { placeOf, readCard } from "../daemon/place.ts";
import { remoteMemory } from "../daemon/remote.ts";
import { type Check, type Finding, note, ok, type Patient, problem } from "./finding.ts";

const RESTART = "holdfast daemon stop, then holdfast daemon start";

export const DAEMON_CHECK: Check = { id: "daemon", run: async (patient) => [await look(patient)] };

async function look({ config }: Patient): Promise<Finding> {
  const place = placeOf(config);
  const reached = await reach(place, { use: "rpc", any: true });
  if (typeof reached === "string") {
    const card = readCard(place);
    if (!card) return note("No daemon runs for this store: each server opens it by itself");
    return problem(`The daemon (process ${card.pid}) does not answer: servers work without it`, RESTART);
  }
  const remote = remoteMemory(reached);
  const { pid, version, outdated } = await remote.status({}).finally(() => remote.close());
  if (version !== VERSION || outdated) {
    return problem(`The daemon (process ${pid}) is Holdfast ${version} from before an update`, RESTART);
  }
  const same = await reach(place, { use: "rpc" });
  if (typeof same === "string") {
    return problem(
      `The daemon (process ${pid}) has other settings than this shell: servers started here work without it`,
      `${RESTART} with the settings that all clients use`,
    );
  }
  same.socket.destroy();
  return ok(`The daemon (process ${pid}) answers and is this version`);
}

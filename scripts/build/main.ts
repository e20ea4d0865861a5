// npm run build: dist/holdfast.cjs; npm run build:bin: also dist/holdfast, the executable for this machine.
import { statSync } from "node:fs";
import { join, relative } from "node:path";
import process from "node:process";
import { bundle, DIST } from "./bundle.ts";
import { buildExecutable, fileName, nodeOf } from "./executable.ts";
import { hostTarget } from "./targets.ts";

await bundle(DIST);
const made = [join(DIST, "holdfast.cjs")];
if (process.argv.includes("--executable")) {
  const target = hostTarget();
  const output = join(DIST, fileName(target));
  await buildExecutable({ target, dist: DIST, output, run: [nodeOf(target)] });
  made.push(output);
}
for (const file of made) console.log(`${relative(process.cwd(), file)}  ${(statSync(file).size / 1e6).toFixed(1)} MB`);

// npm run build: dist/holdfast.cjs. npm run build:bin: also dist/holdfast, the executable for this machine;
// with -- --engine pkg also dist/holdfast-pkg, made by @yao-pkg/pkg.
import { statSync } from "node:fs";
import { join, relative } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { bundle, DIST } from "./bundle.ts";
import { buildExecutable, fileName, nodeOf } from "./executable.ts";
import { hostTarget } from "./targets.ts";

const { values } = parseArgs({
  options: { executable: { type: "boolean" }, engine: { type: "string", default: "node" } },
});
if (values.engine !== "node" && values.engine !== "pkg") throw new Error(`No engine ${values.engine}: node or pkg`);

await bundle(DIST);
const made = [join(DIST, "holdfast.cjs")];
if (values.executable) {
  const target = hostTarget();
  const output = join(DIST, fileName(target));
  await buildExecutable({ target, dist: DIST, output, run: [nodeOf(target)] });
  made.push(output);
}
if (values.engine === "pkg") {
  const output = join(DIST, "holdfast-pkg");
  (await import("./pkg_engine.ts")).buildWithPkg(DIST, output);
  made.push(output);
}
for (const file of made) console.log(`${relative(process.cwd(), file)}  ${(statSync(file).size / 1e6).toFixed(1)} MB`);

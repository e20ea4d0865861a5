// Runs the program from its pieces in a folder, and at its end keeps there what V8 has compiled of each, on top of what was
// kept before: warm.cjs FOLDER FILE WORD…
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { start } from "./start.ts";

const [folder = "", file = "", ...words] = process.argv.slice(2);
process.argv = [process.execPath, file, ...words];
const source = {
  code: (name: string) => readFileSync(`${folder}/${name}`, "latin1"),
  cache: (name: string) => existsSync(`${folder}/${name}.cache`) ? readFileSync(`${folder}/${name}.cache`) : undefined,
};
const scripts = start(source, file);
process.on("exit", () => {
  for (const [name, script] of scripts) writeFileSync(`${folder}/${name}.cache`, script.createCachedData());
});

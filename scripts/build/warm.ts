// Runs the program from its pieces in a folder, and at its end keeps there what V8 has compiled of each: warm.cjs FOLDER FILE WORD…
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { start } from "./start.ts";

const [folder = "", file = "", ...words] = process.argv.slice(2);
process.argv = [process.execPath, file, ...words];
const scripts = start({ code: (name) => readFileSync(`${folder}/${name}`, "latin1"), cache: () => undefined }, file);
process.on("exit", () => {
  for (const [name, script] of scripts) writeFileSync(`${folder}/${name}.cache`, script.createCachedData());
});

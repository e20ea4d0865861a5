// Whether the program that a shell finds is this one, and what this one runs on.
import { execFile } from "node:child_process";
import process from "node:process";
import { VERSION } from "../core/version.ts";
import { type Check, type Finding, note, ok, problem } from "./finding.ts";

const PROGRAM = "holdfast";

export const PROGRAM_CHECK: Check = {
  id: "program",
  run: async () => [ok(`Holdfast ${VERSION} on ${process.release.name} ${process.versions.node}`), await onPath()],
};

function onPath(): Promise<Finding> {
  return new Promise((resolve) => {
    execFile(PROGRAM, ["--version"], { timeout: 5000 }, (error, stdout) => {
      const found = stdout.trim();
      if (error) resolve(note("No `holdfast` on the PATH: hosts do not need it, a shell would"));
      else if (found === VERSION) resolve(ok("`holdfast` on the PATH is this version"));
      else {resolve(
          problem(`\`holdfast\` on the PATH is version ${found}, this is ${VERSION}`, "Remove or update the other one"),
        );}
    });
  });
}

#!/usr/bin/env node
// Words in, exit status out: where the program starts and ends.
import process from "node:process";
import { run } from "./cli/run.ts";

/** Whatever still holds the process open after its work is done is not waited for longer than this, in milliseconds. */
const GRACE = 500;

void run(process.argv.slice(2)).then((status) => {
  if (process.argv[2] === "hook") process.exit(status); // a host waits for it at every prompt
  process.exitCode = status;
  setTimeout(() => process.exit(status), GRACE).unref();
});

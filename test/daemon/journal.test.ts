// The daemon's log: one JSON object a line, turned over before it grows large, for the user alone.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { openJournal } from "../../src/daemon/journal.ts";
import { temporaryFolder } from "../support/temporary.ts";

test("openJournal writes lines and keeps two older files", () => {
  const folder = temporaryFolder();
  const path = join(folder, "log.jsonl");
  const journal = openJournal(path);
  journal("start", { pid: 7 });
  assertEquals({ ...JSON.parse(readFileSync(path, "utf8")), at: "" }, { at: "", event: "start", pid: 7 });
  assertEquals(statSync(path).mode & 0o777, 0o600);
  for (const event of ["one", "two", "three"]) {
    writeFileSync(path, `${"x".repeat(1024 * 1024)}\n`);
    journal(event);
  }
  assertEquals(readdirSync(folder).sort(), ["log.jsonl", "log.jsonl.1", "log.jsonl.2"]);
  assertEquals(JSON.parse(readFileSync(path, "utf8")).event, "three");
});

test("openJournal in a folder that is gone says nothing", () => openJournal("/nonexistent/log.jsonl")("start"));

// A lock that dies with its holder.
import { join } from "node:path";
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { holdLock } from "../../src/store/lock.ts";
import { temporaryFolder } from "../support/temporary.ts";

test("holdLock is held by one at a time, and free again after release", () => {
  const path = join(temporaryFolder(), "lock");
  const first = holdLock(path);
  assert(first);
  assertEquals(holdLock(path), undefined);
  first.release();
  const second = holdLock(path);
  assert(second);
  second.release();
});

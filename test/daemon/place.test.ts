// Where a daemon is found: the same for every way to write a store's path, and never in a folder that another could be in.
import { chmodSync, lstatSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, relative } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { assert, assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import { MemoryError } from "../../src/core/errors.ts";
import { clear, newCard, placeOf, prepare, readCard, writeCard } from "../../src/daemon/place.ts";
import { newPlace } from "../support/daemon.ts";
import { settings } from "../support/stores.ts";
import { temporaryFolder } from "../support/temporary.ts";

test("placeOf names a store the same by every path to it, and other settings apart", () => {
  const [folder, state] = [temporaryFolder(), temporaryFolder()];
  mkdirSync(join(folder, "real"));
  symlinkSync(join(folder, "real"), join(folder, "link"));
  const config = settings({ store: join(folder, "real", "a.db") });
  const of = (over: object) => newPlace({ ...config, ...over }, state);
  assertEquals(of({ store: join(folder, "link", "a.db") }), of({}));
  assertEquals(of({ busyTimeout: 1 }), of({}));
  assertNotEquals(of({ store: join(folder, "real", "b.db") }).directory, of({}).directory);
  assertEquals(of({ secrets: "allow" }).directory, of({}).directory);
  assertNotEquals(of({ secrets: "allow" }).settings, of({}).settings);
  const server = { store: "https://example.com/", server: { token: "one", deadline: 5000 } };
  assertNotEquals(of({ ...server, server: { token: "two", deadline: 5000 } }).settings, of(server).settings);
});

test("placeOf keeps the socket's path short enough for every system", () => {
  const place = newPlace(settings(), join(temporaryFolder(), "deep".repeat(40)));
  assert(Buffer.byteLength(place.socket) <= 103, place.socket);
  prepare(place);
  assertEquals(statSync(join(place.socket, "..")).mode & 0o777, 0o700);
  const server = createServer().listen(place.socket);
  server.close();
});

test("prepare closes the folder to others, and refuses a link or another's", () => {
  const state = temporaryFolder();
  const place = newPlace(settings(), state);
  mkdirSync(place.directory, { recursive: true });
  chmodSync(place.directory, 0o777);
  prepare(place);
  assertEquals(statSync(place.directory).mode & 0o777, 0o700);
  const other = newPlace(settings(), state);
  symlinkSync(temporaryFolder(), other.directory);
  const refused = assertThrows(() => prepare(other), MemoryError);
  assertEquals(refused.code, "store_denied");
});

test("readCard gives what writeCard wrote, to the user alone, and nothing from an open folder", () => {
  const place = newPlace();
  prepare(place);
  assertEquals(readCard(place), undefined);
  const card = newCard();
  assertEquals(Buffer.from(card.token, "base64url").length, 32);
  assertNotEquals(newCard().token, card.token);
  writeCard(place, card);
  assertEquals(readCard(place), card);
  assertEquals(statSync(join(place.directory, "daemon.json")).mode & 0o777, 0o600);
  chmodSync(place.directory, 0o750);
  assertEquals(readCard(place), undefined);
  chmodSync(place.directory, 0o700);
  writeFileSync(join(place.directory, "daemon.json"), "null");
  assertEquals(readCard(place), undefined);
});

test("clear takes away a dead socket, and nothing that is no socket", async () => {
  const place = newPlace();
  prepare(place);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(place.socket, resolve));
  clear(place);
  assertEquals(lstatSync(place.socket, { throwIfNoEntry: false }), undefined);
  server.close();
  writeFileSync(place.socket, "somebody's notes");
  assertEquals(assertThrows(() => clear(place), MemoryError).code, "store_denied");
  assert(lstatSync(place.socket).isFile());
});

test("placeOf: a path through the working directory is the same place", () => {
  const folder = temporaryFolder();
  const state = { ...process.env, HOLDFAST_STATE: folder };
  const around = { env: state, platform: process.platform, cwd: process.cwd() };
  const store = join(folder, "a.db");
  const by = (path: string) => placeOf(settings({ store: path }), around).store;
  assertEquals(by(join(process.cwd(), relative(process.cwd(), store))), by(store));
});

// Where the store is, and what settings mean.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { type Flags, readConfig } from "../../src/core/config.ts";
import type { Surroundings } from "../../src/core/places.ts";
import { MemoryError } from "../../src/core/errors.ts";
import { temporaryFolder } from "../support/temporary.ts";

const around = (over: Partial<Surroundings> = {}): Surroundings => ({
  env: { HOME: "/home/you" },
  platform: "linux",
  cwd: temporaryFolder(),
  ...over,
});
const storeOf = (flags: Flags, over?: Partial<Surroundings>) => readConfig(flags, around(over)).store;
const refused = (flags: Flags, over: Partial<Surroundings>, sentence: string) => {
  assertEquals(assertThrows(() => readConfig(flags, around(over)), MemoryError, sentence).code, "invalid_argument");
};

test("readConfig takes --store over HOLDFAST_STORE over .holdfast over the data directory", () => {
  const cwd = temporaryFolder();
  const env = { HOME: "/home/you", HOLDFAST_STORE: "/from/env.db" };
  mkdirSync(join(cwd, ".holdfast"));
  assertEquals(storeOf({ store: "/from/flag.db" }, { cwd, env }), "/from/flag.db");
  assertEquals(storeOf({}, { cwd, env }), "/from/env.db");
  assertEquals(storeOf({}, { cwd, env: { ...env, HOLDFAST_STORE: "" } }), join(cwd, ".holdfast", "holdfast.db"));
  assertEquals(storeOf({}), "/home/you/.local/share/holdfast/holdfast.db");
});

test("readConfig finds the nearest .holdfast directory upwards, and passes over a file of that name", () => {
  const top = temporaryFolder();
  const low = join(top, "a", "b", "c");
  mkdirSync(join(top, ".holdfast"));
  mkdirSync(low, { recursive: true });
  writeFileSync(join(top, "a", "b", ".holdfast"), "");
  assertEquals(storeOf({}, { cwd: low }), join(top, ".holdfast", "holdfast.db"));
  mkdirSync(join(top, "a", ".holdfast"));
  assertEquals(storeOf({}, { cwd: low }), join(top, "a", ".holdfast", "holdfast.db"));
});

const DATA: Readonly<Record<string, [string, Record<string, string>, string]>> = {
  "XDG_DATA_HOME": ["linux", { XDG_DATA_HOME: "/xdg", HOME: "/h/u" }, "/xdg/holdfast/holdfast.db"],
  "no relative XDG_DATA_HOME": [
    "linux",
    { XDG_DATA_HOME: "xdg", HOME: "/h/u" },
    "/h/u/.local/share/holdfast/holdfast.db",
  ],
  "no empty XDG_DATA_HOME": ["linux", { XDG_DATA_HOME: "", HOME: "/h/u" }, "/h/u/.local/share/holdfast/holdfast.db"],
  "macOS": [
    "darwin",
    { HOME: "/h/u", XDG_DATA_HOME: "/xdg" },
    "/h/u/Library/Application Support/holdfast/holdfast.db",
  ],
  "LOCALAPPDATA": ["win32", { LOCALAPPDATA: "/local", HOME: "/h/u" }, "/local/holdfast/holdfast.db"],
  "USERPROFILE": ["win32", { USERPROFILE: "/u/you", HOME: "/h/u" }, "/u/you/AppData/Local/holdfast/holdfast.db"],
};

for (const [what, [platform, env, expected]] of Object.entries(DATA)) {
  test(`readConfig: data directory by ${what}`, () => assertEquals(storeOf({}, { platform, env }), expected));
}

test("readConfig asks the system for the home directory where HOME is missing", () => {
  assert(storeOf({}, { env: {} }).endsWith("/.local/share/holdfast/holdfast.db"));
});

for (const HOME of ["/", "relative"]) {
  test(`readConfig refuses HOME=${HOME} only where it is needed`, () => {
    refused({}, { env: { HOME } }, "HOME names no home directory");
    assertEquals(storeOf({ store: "/x.db" }, { env: { HOME } }), "/x.db");
  });
}

test("readConfig works without a working directory but for a relative path", () => {
  assertEquals(storeOf({}, { cwd: undefined }), "/home/you/.local/share/holdfast/holdfast.db");
  assertEquals(storeOf({ store: "/x.db" }, { cwd: undefined }), "/x.db");
  refused({ store: "x.db" }, { cwd: undefined }, "the working directory is gone");
});

test("readConfig reads a path: relative, a directory, a file: URL", () => {
  const cwd = temporaryFolder();
  const at = (store: string) => storeOf({ store }, { cwd });
  assertEquals(at("x.db"), join(cwd, "x.db"));
  assertEquals(at("../x.db"), join(cwd, "..", "x.db"));
  assertEquals(at(cwd), join(cwd, "holdfast.db"));
  assertEquals(at("not-there-yet/"), join(cwd, "not-there-yet", "holdfast.db"));
  assertEquals(at("file:///a/b.db"), "/a/b.db");
  assertEquals(at("file:/a/b.db"), "/a/b.db");
  assertEquals(at("file:b.db"), join(cwd, "b.db"));
});

const SERVERS: Readonly<Record<string, string>> = {
  "libsql://db-org.turso.io": "https://db-org.turso.io/",
  "LIBSQL://Host:8080/path": "https://host:8080/path",
  "https://host/db": "https://host/db",
  "http://127.0.0.1:8080": "http://127.0.0.1:8080/",
};
for (const [given, store] of Object.entries(SERVERS)) {
  test(`readConfig reads ${given} as a server`, () => {
    const config = readConfig({ store: given }, around());
    assertEquals([config.store, config.server], [store, { deadline: 5000 }]);
  });
}

const SECRETS = ["libsql://user:hush@host", "https://host?authToken=hush", "http://host/#hush", "libsql://hush@host"];
for (const store of SECRETS) {
  test(`readConfig refuses ${store} without showing it`, () => {
    const error = assertThrows(() => readConfig({ store }, around()), MemoryError);
    assertEquals(error.message, "Cannot use the store's URL: it holds a user name, a password or parameters");
    assert(!`${error.message} ${error.hint}`.includes("hush"));
    assertStringIncludes(error.hint ?? "", "HOLDFAST_AUTH_TOKEN");
  });
}
for (const store of ["WSS://host", "ws://host", "libsql://", "https://ho st"]) {
  test(`readConfig refuses ${store}: no HTTP`, () => refused({ store }, {}, "it is no libsql, https or http URL"));
}

test("readConfig takes the token from HOLDFAST_AUTH_TOKEN, then from TURSO_AUTH_TOKEN, and never for a file", () => {
  const of = (env: Record<string, string>, store = "https://host") =>
    readConfig({ store }, around({ env: { HOME: "/h/u", ...env } })).server?.token;
  assertEquals(of({ HOLDFAST_AUTH_TOKEN: "ours", TURSO_AUTH_TOKEN: "theirs" }), "ours");
  assertEquals(of({ HOLDFAST_AUTH_TOKEN: " ", TURSO_AUTH_TOKEN: " theirs\n" }), "theirs");
  assertEquals(of({}), undefined);
  assertEquals(of({ HOLDFAST_AUTH_TOKEN: "ours" }, "/x.db"), undefined);
  const error = assertThrows(() => of({ HOLDFAST_AUTH_TOKEN: "hu\nsh" }), MemoryError, "a character that no token has");
  assert(!error.message.includes('sh"'));
});

test("readConfig takes TURSO_DATABASE_URL where nothing is meant for Holdfast alone", () => {
  const cwd = temporaryFolder();
  const env = { HOME: "/home/you", TURSO_DATABASE_URL: "libsql://db" };
  assertEquals(storeOf({}, { cwd, env }), "https://db/");
  assertEquals(storeOf({}, { cwd, env: { ...env, HOLDFAST_STORE: "libsql://ours" } }), "https://ours/");
  assertEquals(
    storeOf({}, { env: { ...env, TURSO_DATABASE_URL: "file:local.db" } }),
    "/home/you/.local/share/holdfast/holdfast.db",
  );
  mkdirSync(join(cwd, ".holdfast"));
  assertEquals(storeOf({}, { cwd, env }), join(cwd, ".holdfast", "holdfast.db"));
});

test("readConfig: time for a request, 5 s unless set", () => {
  const of = (value?: string) =>
    readConfig({ store: "https://host" }, around({ env: { HOLDFAST_STORE_TIMEOUT_MS: value } })).server?.deadline;
  assertEquals([of(), of("250")], [5000, 250]);
  assertThrows(() => of("soon"), MemoryError, "HOLDFAST_STORE_TIMEOUT_MS");
});

for (const store of ["", "  ", "file:"]) {
  test(`readConfig refuses the empty path ${JSON.stringify(store)}`, () => refused({ store }, {}, "empty path"));
}

test("readConfig: durability by flag, then environment, then normal", () => {
  const read = (durability?: string, given?: string) =>
    readConfig({ durability }, around({ env: { HOME: "/h/u", HOLDFAST_DURABILITY: given } })).durability;
  assertEquals([read(), read(undefined, "full"), read("normal", "full")], ["normal", "full", "normal"]);
  refused({ durability: "FULL" }, {}, 'Cannot use "FULL" as durability: it is one of normal, full');
});

const busy = (value: string) => ({ env: { HOME: "/h/u", HOLDFAST_BUSY_TIMEOUT_MS: value } });

test("readConfig: busy time-out, 10 s unless set", () => {
  assertEquals(readConfig({}, around()).busyTimeout, 10_000);
  assertEquals(readConfig({}, around(busy("0"))).busyTimeout, 0);
  assertEquals(readConfig({}, around(busy("250"))).busyTimeout, 250);
});
for (const value of ["-1", "1.5", "soon", "Infinity", "NaN"]) {
  test(`readConfig refuses ${value} as busy time-out`, () => refused({}, busy(value), "HOLDFAST_BUSY_TIMEOUT_MS"));
}

test(
  "readConfig: an empty variable is one that is not set",
  () => {
    const { busyTimeout, durability } = readConfig({}, around({ env: { ...busy("").env, HOLDFAST_DURABILITY: "" } }));
    assertEquals([busyTimeout, durability], [10_000, "normal"]);
  },
);

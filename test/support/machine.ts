// What a test may ask of the machine where it is root: mounts, other users. Without that it is skipped, with the reason.
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { COMMAND, FIRST } from "./program.ts";
import { temporaryFolder } from "./temporary.ts";

/** A user with no rights of its own. */
export const NOBODY = 65_534;

const mounts: string[] = [];
process.prependListener("exit", () => { // before the folders are removed
  for (const folder of mounts.reverse()) system("umount", "--lazy", folder);
});

const isRoot = process.getuid?.() === 0;

/** Why tests that mount are skipped; false where they run. */
export const CANNOT_MOUNT: string | false = (() => {
  if (process.platform !== "linux" || !isRoot) return "mounting needs root on Linux";
  const folder = temporaryFolder();
  if (system("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder).status !== 0) {
    return "mount is not allowed";
  }
  system("umount", folder);
  return false;
})();

/** Why tests that start the server as another user are skipped; false where they run. */
export const CANNOT_BE_NOBODY: string | false = !isRoot
  ? "only root can start a process as another user"
  : spawnSync(COMMAND, [...FIRST, "--version"], { uid: NOBODY, gid: NOBODY }).status === 0
  ? false
  : "another user cannot read the sources";

/** A file system of its own in a new folder, gone when the test process ends. */
export function smallDisk(size: string): string {
  const folder = temporaryFolder();
  must("mount", "-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder);
  mounts.push(folder);
  return folder;
}

export function resizeDisk(folder: string, size: string): void {
  must("mount", "-o", `remount,size=${size}`, folder);
}

export function forbidPrograms(disk: string): void {
  must("mount", "-o", "remount,noexec", disk);
}

/** The folder as a read-only mount of itself, until the function returned is called. */
export function writeProtect(folder: string): () => void {
  must("mount", "--bind", folder, folder);
  mounts.push(folder);
  must("mount", "-o", "remount,ro,bind", folder);
  return () => {
    must("umount", folder);
    mounts.splice(mounts.indexOf(folder), 1);
  };
}

/** A copy of a folder that nobody owns, with these rights. */
export function givenAway(from: string, rights: { readonly folder: number; readonly files: number }): string {
  const outer = temporaryFolder();
  chmodSync(outer, 0o755);
  const copy = join(outer, "copy");
  mkdirSync(copy);
  cpSync(from, copy, { recursive: true });
  for (const name of readdirSync(copy)) {
    chownSync(join(copy, name), NOBODY, NOBODY);
    chmodSync(join(copy, name), rights.files);
  }
  chownSync(copy, NOBODY, NOBODY);
  chmodSync(copy, rights.folder);
  return copy;
}

function system(command: string, ...words: string[]) {
  return spawnSync(command, words, { encoding: "utf8" });
}

function must(command: string, ...words: string[]): void {
  const { status, stderr } = system(command, ...words);
  if (status !== 0) throw new Error(`${command} ${words.join(" ")}: ${stderr}`);
}

// When the process that started this one is gone, nobody will end it by closing its input.
import process from "node:process";

const CHECK = 400;

/** Calls `act` once the parent is gone, within 400 ms. @returns what stops the watch */
export function onOrphaned(act: () => void): () => void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    act();
  }, CHECK);
  watch.unref();
  return () => clearInterval(watch);
}

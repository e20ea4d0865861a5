// How the pieces of the program become modules: each is compiled when it is first required, from what V8 kept of it where it did.
import type { Buffer } from "node:buffer";
import { Script } from "node:vm";

declare const require: (name: string) => unknown;

export interface Source {
  /** The text of a piece, as Latin-1. */
  code(name: string): string;
  cache(name: string): Buffer | undefined;
}

/** Runs `main.js`. @param file what the pieces take for their own path. @returns the pieces compiled so far, by name */
export function start({ code, cache }: Source, file: string): ReadonlyMap<string, Script> {
  const scripts = new Map<string, Script>();
  const modules = new Map<string, { exports: unknown }>();
  const load = (name: string): unknown => {
    const loaded = modules.get(name);
    if (loaded) return loaded.exports;
    const wrapped = `(function(require,module,exports,__filename){${code(name)}\n})`;
    const cachedData = cache(name);
    const script = new Script(wrapped, { filename: name, ...(cachedData ? { cachedData } : {}) });
    const module = { exports: {} };
    scripts.set(name, script);
    modules.set(name, module);
    try {
      script.runInThisContext()(resolve, module, module.exports, file);
    } catch (thrown) {
      modules.delete(name); // as require does: the next one fails in the same way
      throw thrown;
    }
    return module.exports;
  };
  const resolve = (name: string): unknown => name.startsWith("./") ? load(name.slice(2)) : require(name);
  load("main.js");
  return scripts;
}

// Sources to one CommonJS file: npm run build → dist/holdfast.cjs, with the files it reads beside it.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions, type Plugin, transform } from "esbuild";
import manifest from "../../package.json" with { type: "json" };
import { NODE_VERSION } from "./targets.ts";
import { thirdParty } from "./notices.ts";

export const ROOT: string = fileURLToPath(new URL("../../", import.meta.url));
export const DIST: string = join(ROOT, "dist");
/** The embedding table's files, by the names they are read under. */
export const TABLE: readonly string[] = ["table.i8", "scale.f32", "vocab.json"];

/** The driver looks for its native part in node_modules by a computed name, which no bundler can follow. */
const driver: Plugin = {
  name: "libsql",
  setup(build) {
    build.onLoad({ filter: /[/\\]libsql[/\\]index\.js$/ }, ({ path }) => {
      const before = readFileSync(path, "utf8");
      const start = before.indexOf('const { load, currentTarget } = require("@neon-rs/load");');
      const end = before.indexOf("const {\n  databaseOpen,");
      if (start < 0 || end < start) throw new Error(`${path} has changed: adapt scripts/build/bundle.ts`);
      const loader = JSON.stringify(join(ROOT, "src/store/addon.ts"));
      const contents = `${before.slice(0, start)}const requireNative = require(${loader}).loadAddon;\n\n${
        before.slice(end)
      }`;
      return { contents, loader: "js" };
    });
  },
};

/** Validation libraries name fetch's classes when they load, which makes Node load all of fetch: 40 ms for what no tool takes. */
const withoutFetch: Plugin = {
  name: "without fetch",
  setup(build) {
    build.onLoad({ filter: /[/\\](@ark[/\\]util|arktype)[/\\]out[/\\].*\.js$/ }, ({ path }) => {
      const code = readFileSync(path, "utf8");
      const named = ["FormData", "Headers", "Request", "Response"].filter((name) =>
        new RegExp(`\\b${name}\\b`).test(code)
      );
      return { contents: named.map((name) => `class ${name} {}\n`).join("") + code, loader: "js" };
    });
  },
};

const SHARED = {
  minify: true,
  platform: "node",
  target: `node${NODE_VERSION.split(".")[0]}`,
  legalComments: "none",
  logLevel: "warning",
} as const;
const FROM_SOURCES = {
  ...SHARED,
  absWorkingDir: ROOT,
  bundle: true,
  mainFields: ["module", "main"], // some packages' main file is one that no bundler can follow
  external: ["@lat.md/*"],
  define: { "import.meta.url": "holdfastUrl" },
  plugins: [driver, withoutFetch],
} satisfies BuildOptions;
/** Where the user's Node is too old, a sentence instead of whatever fails first. */
const [MAJOR = "", MINOR = ""] = manifest.engines.node.replace(/^>=/, "").split(".");
const OLD_NODE =
  `{const [major,minor]=process.versions.node.split(".").map(Number);if(major<${MAJOR}||major===${MAJOR}&&minor<${MINOR}){` +
  `console.error("holdfast: Cannot run on Node "+process.versions.node+": ${MAJOR}.${MINOR} or newer is needed\\n` +
  `Try: a newer Node, or the standalone executable, which needs none");process.exit(1)}}`;
const URL_OF_FILE = { js: 'const holdfastUrl=require("node:url").pathToFileURL(__filename).href;' };

/** Fills a folder with the bundle and what it reads; the same sources give the same bytes. */
export async function bundle(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "table"), { recursive: true });
  const { metafile } = await build({
    ...FROM_SOURCES,
    entryPoints: { holdfast: "src/main.ts", minilm_worker: "src/embed/minilm_worker.ts" },
    outdir: folder,
    outExtension: { ".js": ".cjs" },
    format: "cjs",
    banner: { js: OLD_NODE + URL_OF_FILE.js },
    metafile: true,
  });
  for (const file of TABLE) cpSync(join(ROOT, "src/embed/table", file), join(folder, "table", file));
  writeFileSync(join(folder, "THIRD_PARTY.txt"), thirdParty(ROOT, Object.keys(metafile.inputs)));
}

/**
 * The same program in pieces, one for each group of modules that load together, as CommonJS in ASCII:
 * the executable reads, and V8 compiles, only what a command needs. The first one is `main.js`.
 */
export async function pieces(): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await build({
    ...FROM_SOURCES,
    entryPoints: ["src/main.ts"],
    outdir: ROOT,
    format: "esm",
    splitting: true,
    write: false,
  });
  const found = new Map<string, string>();
  for (const { path, text } of outputFiles) {
    const { code } = await transform(text, {
      ...SHARED,
      format: "cjs",
      supported: { "dynamic-import": false },
      banner: URL_OF_FILE.js,
    });
    found.set(basename(path), ascii(code.replace(/^#!.*\n/, "")));
  }
  return found;
}

/** In patterns the bundler leaves characters beyond ASCII, some of them needlessly escaped. */
function ascii(code: string): string {
  return code.replace(
    /\\?([\u0080-\uffff])/g,
    (_, unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

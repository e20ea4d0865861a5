// `holdfast upgrade`: how this installation is brought up to date; it asks nobody unless told whom.
import { isStandalone } from "../core/assets.ts";
import { MemoryError } from "../core/errors.ts";
import { isObject } from "../core/json.ts";
import { releaseIndex } from "../core/config.ts";
import { VERSION } from "../core/version.ts";
import type { Command } from "./command.ts";
import { print, printJson } from "./output.ts";
import { selfCommand } from "./self.ts";

/** Where package managers put what they install, and what updates it. The first that fits counts. */
const INSTALLERS: readonly { readonly name: string; readonly place: RegExp; readonly command: string }[] = [
  { name: "Homebrew", place: /[/\\](Cellar|homebrew|linuxbrew)[/\\]/i, command: "brew upgrade holdfast" },
  { name: "Scoop", place: /[/\\]scoop[/\\]/i, command: "scoop update holdfast" },
  { name: "npx", place: /[/\\]_npx[/\\]/, command: "npx holdfast@latest" },
  { name: "npm", place: /[/\\]node_modules[/\\]holdfast[/\\]/, command: "npm install -g holdfast@latest" },
];
const DOWNLOAD = { name: "a download", command: "run the install script again, or replace the file" };
const CHECKOUT = { name: "a checkout", command: "git pull && npm ci" };
const PATIENCE = 10_000;
const NUMBERS = /^v?(\d+)\.(\d+)\.(\d+)(?:-|$)/;

export const upgrade: Command = {
  name: "upgrade",
  summary: "Say how to update, and with --releases whether there is anything newer",
  flags: {
    check: { type: "boolean", summary: "Only look, which is all this command does" },
    releases: {
      type: "string",
      value: "URL",
      summary:
        'A release index, JSON with a "version" or a "tag_name"; default: HOLDFAST_RELEASES. Without one nothing is asked',
    },
    json: { type: "boolean", summary: "Print the result as JSON" },
  },
  async run({ flags }) {
    const { name, command } = installer();
    const index = releaseIndex(flags["releases"]?.toString());
    const latest = index === undefined ? undefined : await latestOf(index);
    const newer = latest === undefined ? undefined : isNewer(latest, VERSION);
    if (flags["json"] === true) return printJson({ version: VERSION, latest, newer, installed_by: name, command }), 0;
    print(`Holdfast ${VERSION}, from ${name}`);
    if (newer !== undefined) print(newer ? `Version ${latest} is out` : "That is the newest version");
    if (newer !== false) print(`To update: ${command}`);
    return 0;
  },
};

function installer(): { readonly name: string; readonly command: string } {
  const { command, args } = selfCommand();
  const place = isStandalone ? command : args.at(-1) ?? "";
  return INSTALLERS.find((one) => one.place.test(place)) ?? (isStandalone ? DOWNLOAD : CHECKOUT);
}

async function latestOf(index: string): Promise<string> {
  const url = URL.parse(index);
  if (url?.protocol !== "https:" && url?.protocol !== "http:") {
    throw new MemoryError("invalid_argument", `Cannot look for releases at "${index}": it is no http or https URL`);
  }
  const found: unknown = await fetch(url, {
    signal: AbortSignal.timeout(PATIENCE),
    headers: { accept: "application/json" },
  })
    .then((response) => response.ok ? response.json() : Promise.reject(new Error(`status ${response.status}`)))
    .catch((cause: unknown) => {
      throw new MemoryError("invalid_argument", `Cannot look for releases at ${url.host}: it gave no JSON`, {
        hint: "Check the URL, or look there with a browser",
        cause,
      });
    });
  const version = isObject(found) ? found["version"] ?? found["tag_name"] : undefined;
  if (typeof version === "string" && NUMBERS.test(version)) return version.replace(/^v/, "");
  throw new MemoryError("invalid_argument", `Cannot look for releases at ${url.host}: its answer names no version`, {
    hint: 'It should be JSON such as {"version": "1.2.3"}',
  });
}

function isNewer(one: string, other: string): boolean {
  const [left, right] = [one, other].map((version) => NUMBERS.exec(version)?.slice(1).map(Number) ?? []);
  const at = left?.findIndex((number, part) => number !== right?.[part]) ?? -1;
  return at >= 0 && (left?.[at] ?? 0) > (right?.[at] ?? 0);
}

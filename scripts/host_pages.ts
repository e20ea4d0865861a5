// The pages under docs/hosts, one a host, written from the rows in src/hosts/hosts.ts.
import { editsOf } from "../src/hosts/edits.ts";
import { type Host, HOSTS, type Places } from "../src/hosts/hosts.ts";
import { type Ground, groundOf, pathOf, type Place } from "../src/hosts/places.ts";

const MACHINES: Readonly<Record<string, Ground>> = {
  Linux: groundOf({ env: { HOME: "/~" }, platform: "linux", cwd: "/" }),
  macOS: groundOf({ env: { HOME: "/~" }, platform: "darwin", cwd: "/" }),
  Windows: groundOf({ env: { USERPROFILE: "\\~" }, platform: "win32", cwd: "\\" }),
};

const EVENTS: Readonly<Record<string, string>> = {
  "session-start": "gives the agent its name, where the work stood and what matters most",
  prompt: "gives the facts that bear on what was asked; `remember: …` stores at once",
  "pre-compact": "keeps the last turns as an automatic checkpoint",
  "session-end": "keeps the last turns as an automatic checkpoint",
};

/** Path below the project → text. */
export async function hostPages(): Promise<ReadonlyMap<string, string>> {
  const pages = await Promise.all(HOSTS.map(async (host) => [`docs/hosts/${host.id}.md`, await page(host)] as const));
  const index = [
    "# Agent hosts",
    "",
    "`holdfast init` sets these up; each page says what it writes where, and what to paste instead.",
    "",
    "| host | id | hooks | instructions |",
    "| --- | --- | --- | --- |",
    ...HOSTS.map(({ id, name, hooks, instructions }) =>
      `| [${name}](${id}.md) | \`${id}\` | ${hooks ? Object.keys(hooks.events).join(", ") : ""} | ${
        instructions ? unique(Object.values(instructions).flat()).map((place) => `\`${shown(place)}\``).join(", ") : ""
      } |`
    ),
  ];
  return new Map([...pages, ["docs/hosts/README.md", `${index.join("\n")}\n`]]);
}

async function page(host: Host): Promise<string> {
  const scopes = host.config.project
    ? `\`holdfast init --host ${host.id}\`, or with \`--scope project\` for one project`
    : `\`holdfast init --host ${host.id}\``;
  return `${
    [
      `# ${host.name}`,
      "",
      `Set up: ${scopes}. Then: ${host.restart}. Ask the agent: *what do you remember about this project?*`,
      "",
      `Take back: \`holdfast uninstall --host ${host.id}\`. When it does not work: \`holdfast doctor --host ${host.id}\`.`,
      "",
      ...(host.note ? [host.note, ""] : []),
      "## Where",
      "",
      "| what | for | file |",
      "| --- | --- | --- |",
      ...places("server", host.config),
      ...places("hooks", host.hooks?.files),
      ...places("instructions", host.instructions),
      "",
      "## By hand",
      "",
      "Absolute paths, since programs with windows do not see a shell's PATH. `/path/to/holdfast` stands for the program.",
      ...await snippets(host),
      ...(host.hooks
        ? [
          "",
          "## Hooks",
          "",
          ...Object.entries(host.hooks.events).map(([event, name]) => `- \`${name}\` ${EVENTS[event]}.`),
        ]
        : []),
    ].join("\n")
  }\n`;
}

function places(what: string, files: Places | undefined): string[] {
  return Object.entries(files ?? {}).map(([scope, some]) => {
    const whom = scope === "user" ? "every project" : "one project";
    return `| ${what} | ${whom} | ${some.map(everywhere).join(", else ")} |`;
  });
}

/** One path where it is the same everywhere, else one a platform. */
function everywhere(place: Place): string {
  const paths = Object.entries(MACHINES).map(([name, ground]) => [name, pathOf(place, ground)] as const);
  const plain = new Set(paths.map(([, path]) => path.replaceAll("\\", "/")));
  if (plain.size === 1) return `\`${shown(place)}\``;
  return paths.map(([name, path]) => `\`${path.replace(/^[/\\]/, "")}\` (${name})`).join(", ");
}

function shown(place: Place): string {
  return pathOf(place, groundOf({ env: { HOME: "/~" }, platform: "linux", cwd: "/" })).replace(/^\//, "");
}

async function snippets(host: Host): Promise<string[]> {
  const ground = groundOf({ env: { HOME: "/~" }, platform: "linux", cwd: "/project" });
  const start = { command: "/path/to/holdfast", args: [], env: {} };
  const wanted = { scope: "user", start, agentId: "my-app", hooks: true, instructions: false } as const;
  const edits = editsOf(host, wanted, ground);
  const fences: Readonly<Record<string, string>> = { jsonc: "json", toml: "toml", yaml: "yaml" };
  const blocks = await Promise.all(edits.map(async (edit) => [
    "",
    `\`\`\`${edit.what === "server" ? fences[host.format] : "json"}`,
    (await edit.snippet()).trimEnd(),
    "```",
  ]));
  return blocks.flat();
}

function unique<T>(some: readonly T[]): T[] {
  return [...new Set(some)];
}

// The rows as literals, and beside what two other programs that write the same files know.
import process from "node:process";
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { MCPConfigRegistry } from "@gleanwork/mcp-config-schema";
import { agents } from "add-mcp";
import { type Host, HOSTS } from "../../src/hosts/hosts.ts";
import { chosenPath, type Ground, groundOf, pathOf } from "../../src/hosts/places.ts";
import { SERVER, serverEntry } from "../../src/hosts/shapes.ts";

const machine = (platform: string, home: string, env = {}): Ground =>
  groundOf({ env: { HOME: home, USERPROFILE: home, ...env }, platform, cwd: `${home}/app` });
const LINUX = machine("linux", "/home/you");
const MAC = machine("darwin", "/Users/you");
const WINDOWS = machine("win32", "C:\\Users\\you");

/** Configuration of the user on Linux, macOS and Windows below the home folder, then of a project. */
const PATHS: Readonly<Record<string, readonly (string | undefined)[]>> = {
  "claude-code": [".claude.json", ".claude.json", ".claude.json", ".mcp.json"],
  "claude-desktop": [
    ".config/Claude/claude_desktop_config.json",
    "Library/Application Support/Claude/claude_desktop_config.json",
    "AppData/Roaming/Claude/claude_desktop_config.json",
    undefined,
  ],
  cursor: [".cursor/mcp.json", ".cursor/mcp.json", ".cursor/mcp.json", ".cursor/mcp.json"],
  vscode: [
    ".config/Code/User/mcp.json",
    "Library/Application Support/Code/User/mcp.json",
    "AppData/Roaming/Code/User/mcp.json",
    ".vscode/mcp.json",
  ],
  "copilot-cli": [
    ".copilot/mcp-config.json",
    ".copilot/mcp-config.json",
    ".copilot/mcp-config.json",
    ".github/mcp.json",
  ],
  codex: [".codex/config.toml", ".codex/config.toml", ".codex/config.toml", ".codex/config.toml"],
  gemini: [".gemini/settings.json", ".gemini/settings.json", ".gemini/settings.json", ".gemini/settings.json"],
  antigravity: [
    ".gemini/config/mcp_config.json",
    ".gemini/config/mcp_config.json",
    ".gemini/config/mcp_config.json",
    ".agents/mcp_config.json",
  ],
  opencode: [
    ".config/opencode/opencode.json",
    ".config/opencode/opencode.json",
    ".config/opencode/opencode.json",
    "opencode.json",
  ],
  windsurf: [
    ".codeium/windsurf/mcp_config.json",
    ".codeium/windsurf/mcp_config.json",
    ".codeium/windsurf/mcp_config.json",
    undefined,
  ],
  zed: [
    ".config/zed/settings.json",
    ".config/zed/settings.json",
    "AppData/Roaming/Zed/settings.json",
    ".zed/settings.json",
  ],
  cline: [
    ".config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
    "Library/Application Support/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
    "AppData/Roaming/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
    undefined,
  ],
  roo: [
    ".config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
    "Library/Application Support/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
    "AppData/Roaming/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
    ".roo/mcp.json",
  ],
  kiro: [".kiro/settings/mcp.json", ".kiro/settings/mcp.json", ".kiro/settings/mcp.json", ".kiro/settings/mcp.json"],
  "lm-studio": [".lmstudio/mcp.json", ".lmstudio/mcp.json", ".lmstudio/mcp.json", undefined],
  junie: [".junie/mcp/mcp.json", ".junie/mcp/mcp.json", ".junie/mcp/mcp.json", ".junie/mcp/mcp.json"],
  amp: [".config/amp/settings.json", ".config/amp/settings.json", ".config/amp/settings.json", ".amp/settings.json"],
  crush: [".config/crush/crush.json", ".config/crush/crush.json", ".config/crush/crush.json", "crush.json"],
  goose: [
    ".config/goose/config.yaml",
    ".config/goose/config.yaml",
    "AppData/Roaming/Block/goose/config/config.yaml",
    undefined,
  ],
  continue: [".continue/config.yaml", ".continue/config.yaml", ".continue/config.yaml", undefined],
};

test("HOSTS keep their configuration where the pins say", () => {
  const found = Object.fromEntries(HOSTS.map(({ id, config }) => [id, [
    ...[LINUX, MAC, WINDOWS].map((here) => below(chosenPath(config.user ?? [], here), here)),
    below(chosenPath(config.project ?? [], LINUX), { ...LINUX, home: LINUX.project }),
  ]]));
  assertEquals(found, PATHS);
});

test("a variable that moves a root moves what is below it", () => {
  const moved = machine("linux", "/home/you", {
    CODEX_HOME: "/etc/codex",
    XDG_CONFIG_HOME: "relative",
    COPILOT_HOME: "",
  });
  assertEquals(pathOf("{codex}/config.toml", moved), "/etc/codex/config.toml");
  assertEquals(pathOf("{config}/x", moved), "/home/you/.config/x", "a relative one counts for nothing");
  assertEquals(pathOf("{copilot}/x", moved), "/home/you/.copilot/x");
});

const START = { command: "/n", args: ["/m"], env: {} };

test("serverEntry in each shape, bare and with variables and a store", () => {
  const full = { command: "/n", args: ["/m"], env: { HOLDFAST_EMBEDDER: "none" }, store: "/s.db" };
  const shapes = [...new Set(HOSTS.map(({ shape }) => shape))];
  const args = ["/m", "mcp", "--store", "/s.db"];
  const env = { HOLDFAST_EMBEDDER: "none" };
  assertEquals(Object.fromEntries(shapes.map((shape) => [shape, serverEntry(shape, START)])), {
    plain: { command: "/n", args: ["/m", "mcp"] },
    typed: { type: "stdio", command: "/n", args: ["/m", "mcp"] },
    copilot: { type: "stdio", command: "/n", args: ["/m", "mcp"], tools: ["*"] },
    toggled: { command: "/n", args: ["/m", "mcp"], disabled: false },
    zed: { source: "custom", command: "/n", args: ["/m", "mcp"], env: {} },
    opencode: { type: "local", command: ["/n", "/m", "mcp"] },
    goose: {
      name: "holdfast",
      description: "Memory across sessions",
      type: "stdio",
      cmd: "/n",
      args: ["/m", "mcp"],
      envs: {},
      enabled: true,
      timeout: 300,
    },
    list: { name: "holdfast", command: "/n", args: ["/m", "mcp"] },
  });
  assertEquals(serverEntry("plain", full), { command: "/n", args, env });
  assertEquals(serverEntry("opencode", full), { type: "local", command: ["/n", ...args], environment: env });
  assertEquals(serverEntry("goose", full)["envs"], env);
});

/** Their names for our ids, where they differ. */
const THEIRS: Readonly<Record<string, string>> = {
  gemini: "gemini-cli",
  kiro: "kiro-cli",
  "copilot-cli": "github-copilot-cli",
};

/** Where we differ from add-mcp, and why. */
const APART: Readonly<Record<string, string>> = {
  opencode:
    "it makes opencode.jsonc where there is no file yet, we make opencode.json, the name in OpenCode's own guide",
};

const here = groundOf({ env: process.env, platform: process.platform, cwd: "/" });

describe("beside add-mcp", () => {
  const known: Readonly<Record<string, (typeof agents)[keyof typeof agents]>> = agents;
  for (const host of HOSTS) {
    const theirs = known[THEIRS[host.id] ?? host.id];
    if (!theirs) continue;
    test(host.id, () => {
      assertEquals(theirs.format, host.format === "jsonc" ? "json" : host.format);
      if (!APART[host.id]) {
        assertEquals(
          host.config.user?.map((place) => pathOf(place, here)).includes(theirs.configPath),
          true,
          theirs.configPath,
        );
        assertEquals(theirs.configKey, host.keys.at(-1)?.join("."));
      }
      assertSameServer(theirs.transformConfig(SERVER, { command: "/n", args: ["/m", "mcp"] }), host);
    });
  }
  test("knows most of the hosts", () => {
    assert(HOSTS.filter(({ id }) => known[THEIRS[id] ?? id]).length >= 14);
  });
});

describe("beside @gleanwork/mcp-config-schema", () => {
  for (const theirs of new MCPConfigRegistry().getAllConfigs()) {
    const host = HOSTS.find(({ id }) => id === theirs.id);
    const path = theirs.configPath.linux;
    if (!host || !path) continue;
    test(host.id, () => {
      assertEquals(theirs.configFormat, host.format === "jsonc" ? "json" : host.format);
      const ours = host.config.user?.map((place) => below(pathOf(place, LINUX), LINUX)) ?? [];
      assert(ours.includes(path.replace("$HOME/", "")), path);
      assertEquals(theirs.configStructure.serversPropertyName, host.keys.at(-1)?.join("."));
    });
  }
});

/** What both write is equal; what only one writes is empty or says nothing new. */
function assertSameServer(theirs: unknown, host: Host): void {
  const ours = serverEntry(host.shape, START);
  for (const [key, value] of Object.entries(theirs as Record<string, unknown>)) { // an entry is an object
    if (key === "description" || JSON.stringify(value ?? {}) === "{}" || (key === "enabled" && value === true)) {
      continue;
    }
    if (key === "type" && !(key in ours)) continue;
    assertEquals(ours[key], value, `${host.id}: ${key}`);
  }
}

function below(path: string | undefined, { home }: Ground): string | undefined {
  return path?.slice(home.length + 1).replaceAll("\\", "/");
}

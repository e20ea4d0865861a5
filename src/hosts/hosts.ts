// The programs that run agents: one row each, with where it keeps its servers, hooks and instructions.
import type { Place } from "./places.ts";

export type Scope = "user" | "project";
export type Places = Readonly<Partial<Record<Scope, readonly Place[]>>>;

/** What happens in a session that a hook can act on, and the host's own name for it. */
export type HookEvent = "session-start" | "prompt" | "pre-compact" | "session-end";

export interface Hooks {
  readonly files: Places;
  /** How an event's list of commands is written: `shapes.ts`. */
  readonly shape: "groups" | "milliseconds" | "flat";
  readonly events: Readonly<Partial<Record<HookEvent, string>>>;
}

export interface Host {
  readonly id: string;
  readonly name: string;
  /** Any of these shows that it is here. */
  readonly signs: readonly Place[];
  readonly programs?: readonly string[];
  readonly config: Places;
  readonly format: "jsonc" | "toml" | "yaml";
  /** The way to the servers; of several layouts, the first that the file has, else the last. */
  readonly keys: readonly (readonly string[])[];
  /** How a server is written: `shapes.ts`. */
  readonly shape: "plain" | "typed" | "copilot" | "toggled" | "opencode" | "goose" | "zed" | "list";
  readonly hooks?: Hooks;
  readonly instructions?: Places;
  /** What makes it read its configuration again. */
  readonly restart: string;
  /** What a reader should know beyond the row. */
  readonly note?: string;
}

const MCP_SERVERS = [["mcpServers"]];

/** Read by most hosts; the nearest one upwards wins. */
const AGENTS_MD = ["AGENTS.md"];

export const HOSTS: readonly Host[] = [
  {
    id: "claude-code",
    name: "Claude Code",
    signs: ["{claude}", "{claudeJson}/.claude.json"],
    programs: ["claude"],
    config: { user: ["{claudeJson}/.claude.json"], project: [".mcp.json"] },
    format: "jsonc",
    keys: MCP_SERVERS,
    shape: "typed",
    hooks: {
      files: { user: ["{claude}/settings.json"], project: [".claude/settings.local.json"] },
      shape: "groups",
      events: {
        "session-start": "SessionStart",
        prompt: "UserPromptSubmit",
        "pre-compact": "PreCompact",
        "session-end": "SessionEnd",
      },
    },
    instructions: { user: ["{claude}/CLAUDE.md"], project: ["CLAUDE.md"] },
    restart: "Leave Claude Code and start it again; /mcp lists its servers",
    note: "A server of the project is asked about once, when Claude Code next starts there.",
  },
  {
    id: "claude-desktop",
    name: "Claude Desktop",
    signs: ["{support}/Claude"],
    config: { user: ["{support}/Claude/claude_desktop_config.json"] },
    format: "jsonc",
    keys: MCP_SERVERS,
    shape: "plain",
    restart: "Quit Claude Desktop from its menu (closing the window is not enough) and open it again",
  },
  {
    id: "cursor",
    name: "Cursor",
    signs: ["{home}/.cursor", ".cursor"],
    programs: ["cursor", "cursor-agent"],
    config: { user: ["{home}/.cursor/mcp.json"], project: [".cursor/mcp.json"] },
    format: "jsonc",
    keys: MCP_SERVERS,
    shape: "plain",
    hooks: {
      files: { user: ["{home}/.cursor/hooks.json"], project: [".cursor/hooks.json"] },
      shape: "flat",
      events: { "session-start": "sessionStart", "pre-compact": "preCompact", "session-end": "sessionEnd" },
    },
    instructions: { project: AGENTS_MD },
    restart: "Restart Cursor, and see that holdfast is switched on under Settings, MCP",
    note: "Cursor's prompt hook cannot add anything to a prompt, so none is installed.",
  },
  {
    id: "vscode",
    name: "VS Code",
    signs: ["{code}", ".vscode"],
    programs: ["code"],
    config: { user: ["{code}/mcp.json"], project: [".vscode/mcp.json"] },
    format: "jsonc",
    keys: [["servers"]],
    shape: "typed",
    instructions: { project: AGENTS_MD },
    restart: "Run `MCP: List Servers` from the command palette and start holdfast",
  },
  {
    id: "copilot-cli",
    name: "GitHub Copilot CLI",
    signs: ["{copilot}"],
    programs: ["copilot"],
    config: { user: ["{copilot}/mcp-config.json"], project: [".github/mcp.json"] },
    format: "jsonc",
    keys: MCP_SERVERS,
    shape: "copilot",
    instructions: { project: AGENTS_MD },
    restart: "Leave copilot and start it again",
  },
  {
    id: "codex",
    name: "Codex",
    signs: ["{codex}"],
    programs: ["codex"],
    config: { user: ["{codex}/config.toml"], project: [".codex/config.toml"] },
    format: "toml",
    keys: [["mcp_servers"]],
    shape: "plain",
    hooks: {
      files: { user: ["{codex}/hooks.json"], project: [".codex/hooks.json"] },
      shape: "groups",
      events: { "session-start": "SessionStart", prompt: "UserPromptSubmit", "pre-compact": "PreCompact" },
    },
    instructions: { user: ["{codex}/AGENTS.md"], project: AGENTS_MD },
    restart: "Start a new Codex session, and agree to its hooks when it asks",
    note: "Codex reads a project's file only in a project that you trust.",
  },
  {
    id: "gemini",
    name: "Gemini CLI",
    signs: ["{home}/.gemini/settings.json"],
    programs: ["gemini"],
    config: { user: ["{home}/.gemini/settings.json"], project: [".gemini/settings.json"] },
    format: "jsonc",
    keys: MCP_SERVERS,
    shape: "plain",
    hooks: {
      files: { user: ["{home}/.gemini/settings.json"], project: [".gemini/settings.json"] },
      shape: "milliseconds",
      events: {
        "session-start": "SessionStart",
        prompt: "BeforeAgent",
        "pre-compact": "PreCompress",
        "session-end": "SessionEnd",
      },
    },
    instructions: { user: ["{home}/.gemini/GEMINI.md"], project: ["GEMINI.md"] },
    restart: "Leave gemini and start it again; /mcp lists its servers",
  },
  {
    id: "antigravity",
    name: "Antigravity",
    signs: ["{home}/.gemini/config", "{home}/.gemini/antigravity", ".agents"],
    programs: ["agy"],
    config: {
      user: ["{home}/.gemini/config/mcp_config.json", "{home}/.gemini/antigravity/mcp_config.json"],
      project: [".agents/mcp_config.json"],
    },
    format: "jsonc",
    keys: MCP_SERVERS,
    shape: "plain",
    instructions: { project: AGENTS_MD },
    restart: "Refresh the list under Manage MCP Servers",
  },
  {
    id: "opencode",
    name: "OpenCode",
    signs: ["{config}/opencode", ".opencode"],
    programs: ["opencode"],
    config: {
      user: ["{config}/opencode/opencode.json", "{config}/opencode/opencode.jsonc"],
      project: ["opencode.json", "opencode.jsonc"],
    },
    format: "jsonc",
    keys: [["mcp", "servers"], ["mcp"]],
    shape: "opencode",
    instructions: { user: ["{config}/opencode/AGENTS.md"], project: AGENTS_MD },
    restart: "Leave opencode and start it again",
    note: "A file that has `mcp.servers` (version 2) gets the entry there, any other under `mcp` (version 1).",
  },
  {
    id: "windsurf",
    name: "Windsurf",
    signs: ["{home}/.codeium/windsurf"],
    programs: ["windsurf"],
    config: { user: ["{home}/.codeium/windsurf/mcp_config.json"] },
    format: "jsonc",
    keys: MCP_SERVERS,
    shape: "plain",
    restart: "Press refresh in Cascade's list of MCP servers, or restart Windsurf",
  },
  {
    id: "zed",
    name: "Zed",
    signs: ["{zed}", "{home}/Library/Application Support/Zed", ".zed"],
    programs: ["zed"],
    config: { user: ["{zed}/settings.json"], project: [".zed/settings.json"] },
    format: "jsonc",
    keys: [["context_servers"]],
    shape: "zed",
    instructions: { project: AGENTS_MD },
    restart: "Nothing to restart: look for the green dot in the agent panel's settings",
  },
  {
    id: "cline",
    name: "Cline",
    signs: ["{code}/globalStorage/saoudrizwan.claude-dev", "{cline}"],
    programs: ["cline"],
    config: {
      user: [
        "{code}/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
        "{cline}/data/settings/cline_mcp_settings.json",
      ],
    },
    format: "jsonc",
    keys: MCP_SERVERS,
    shape: "toggled",
    restart: "Open Cline's MCP servers and press restart beside holdfast",
  },
  {
    id: "roo",
    name: "Roo Code",
    signs: ["{code}/globalStorage/rooveterinaryinc.roo-cline", ".roo"],
    config: {
      user: ["{code}/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json"],
      project: [".roo/mcp.json"],
    },
    format: "jsonc",
    keys: MCP_SERVERS,
    shape: "toggled",
    instructions: { project: AGENTS_MD },
    restart: "Press refresh in Roo Code's MCP settings",
  },
  {
    id: "kiro",
    name: "Kiro",
    signs: ["{home}/.kiro", ".kiro"],
    programs: ["kiro", "kiro-cli"],
    config: { user: ["{home}/.kiro/settings/mcp.json"], project: [".kiro/settings/mcp.json"] },
    format: "jsonc",
    keys: MCP_SERVERS,
    shape: "toggled",
    instructions: { project: AGENTS_MD },
    restart: "Reconnect holdfast in Kiro's MCP panel, or restart it",
  },
  {
    id: "lm-studio",
    name: "LM Studio",
    signs: ["{home}/.lmstudio", "{home}/.cache/lm-studio"],
    programs: ["lms"],
    config: { user: ["{home}/.lmstudio/mcp.json", "{home}/.cache/lm-studio/mcp.json"] },
    format: "jsonc",
    keys: MCP_SERVERS,
    shape: "plain",
    restart: "Switch holdfast on in the Program tab of a chat",
  },
  {
    id: "junie",
    name: "Junie",
    signs: ["{home}/.junie", ".junie"],
    programs: ["junie"],
    config: { user: ["{home}/.junie/mcp/mcp.json"], project: [".junie/mcp/mcp.json"] },
    format: "jsonc",
    keys: MCP_SERVERS,
    shape: "plain",
    instructions: { project: AGENTS_MD },
    restart: "Restart the IDE, and look under Settings, Tools, Junie, MCP Settings",
  },
  {
    id: "amp",
    name: "Amp",
    signs: ["{config}/amp", ".amp"],
    programs: ["amp"],
    config: { user: ["{config}/amp/settings.json"], project: [".amp/settings.json"] },
    format: "jsonc",
    keys: [["amp.mcpServers"]],
    shape: "plain",
    instructions: { user: ["{config}/amp/AGENTS.md"], project: AGENTS_MD },
    restart: "Leave amp and start it again",
  },
  {
    id: "crush",
    name: "Crush",
    signs: ["{config}/crush"],
    programs: ["crush"],
    config: { user: ["{config}/crush/crush.json"], project: ["crush.json", ".crush.json"] },
    format: "jsonc",
    keys: [["mcp"]],
    shape: "typed",
    instructions: { project: AGENTS_MD },
    restart: "Leave crush and start it again",
  },
  {
    id: "goose",
    name: "Goose",
    signs: ["{goose}"],
    programs: ["goose"],
    config: { user: ["{goose}/config.yaml"] },
    format: "yaml",
    keys: [["extensions"]],
    shape: "goose",
    instructions: { project: AGENTS_MD },
    restart: "Start a new goose session",
  },
  {
    id: "continue",
    name: "Continue",
    signs: ["{home}/.continue", ".continue"],
    programs: ["cn"],
    config: { user: ["{home}/.continue/config.yaml"] },
    format: "yaml",
    keys: MCP_SERVERS,
    shape: "list",
    restart: "Reload the editor's window; MCP tools are offered in agent mode",
  },
];

// `holdfast daemon service`: a service file for the user's session, printed for the user to put in its place.
import { MemoryError } from "../core/errors.ts";
import { inherited, surroundings } from "../core/places.ts";
import type { Input } from "./command.ts";
import { idleIn } from "./daemon_run.ts";
import { print } from "./output.ts";
import { selfCommand } from "./self.ts";

type Print = (words: readonly string[], env: Readonly<Record<string, string>>) => string;

const SYSTEMS: Readonly<Record<string, Print>> = { systemd, launchd };

export function service({ flags, positionals }: Input): Promise<number> {
  const [system = ""] = positionals;
  const write = Object.hasOwn(SYSTEMS, system) ? SYSTEMS[system] : undefined;
  if (!write) {
    throw new MemoryError("invalid_argument", `No service file for "${system}": give systemd or launchd`);
  }
  idleIn(flags);
  const { command, args } = selfCommand();
  const given = Object.entries({ idle: "0", ...flags }).flatMap(([name, value]) =>
    value === undefined || typeof value === "boolean" ? [] : [`--${name}`, value]
  );
  print(write([command, ...args, "daemon", "run", ...given], inherited(surroundings())));
  return Promise.resolve(0);
}

function systemd(words: readonly string[], env: Readonly<Record<string, string>>): string {
  const quoted = (text: string) => `"${text.replace(/[\\"]/g, "\\$&").replaceAll("%", "%%")}"`;
  return [
    "# ~/.config/systemd/user/holdfast.service; then: systemctl --user enable --now holdfast",
    "[Unit]",
    "Description=Holdfast, memory for AI agents",
    "",
    "[Service]",
    `ExecStart=${words.map((word) => quoted(word.replaceAll("$", "$$$$"))).join(" ")}`,
    ...Object.entries(env).map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`),
    "Restart=on-failure",
    "NoNewPrivileges=true",
    "",
    "[Install]",
    "WantedBy=default.target",
  ].join("\n");
}

function launchd(words: readonly string[], env: Readonly<Record<string, string>>): string {
  const safe = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const string = (text: string) => `<string>${safe(text)}</string>`;
  const pairs = Object.entries(env).map(([name, value]) => `    <key>${safe(name)}</key>${string(value)}`);
  return [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<!-- ~/Library/LaunchAgents/holdfast.plist; then: launchctl bootstrap gui/$(id -u) ~/Library/LaunchAgents/holdfast.plist -->`,
    `<plist version="1.0"><dict>`,
    `  <key>Label</key><string>holdfast</string>`,
    `  <key>ProgramArguments</key><array>`,
    ...words.map((word) => `    ${string(word)}`),
    `  </array>`,
    ...(pairs.length === 0 ? [] : [`  <key>EnvironmentVariables</key><dict>`, ...pairs, `  </dict>`]),
    `  <key>RunAtLoad</key><true/>`,
    `  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>`,
    `</dict></plist>`,
  ].join("\n");
}

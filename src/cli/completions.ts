// `holdfast completions SHELL`: a script for the shell, written from the table of commands.
import { MemoryError } from "../core/errors.ts";
import { type Command, HELP } from "./command.ts";
import { print } from "./output.ts";

/** What completion knows of the program: each command's words, and its flags with their fixed values. */
interface Word {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly { readonly name: string; readonly summary: string; readonly values: readonly string[] }[];
}

const SHELLS: Readonly<Record<string, (words: readonly Word[]) => string>> = { bash, zsh, fish, powershell };

export function completions(commands: () => readonly Command[]): Command {
  return {
    name: "completions",
    summary: "Print a completion script for bash, zsh, fish or powershell",
    positionals: "SHELL",
    flags: {},
    run({ positionals: [shell = ""] }) {
      const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
      if (!script) {
        throw new MemoryError(
          "invalid_argument",
          `Cannot complete for "${shell}": the shells are ${Object.keys(SHELLS).join(", ")}`,
          {
            hint: "holdfast completions bash",
          },
        );
      }
      print(script(commands().map(wordOf)).trimEnd());
      return Promise.resolve(0);
    },
  };
}

function wordOf({ name, summary, flags }: Command): Word {
  return {
    name,
    summary,
    flags: Object.entries({ ...flags, ...HELP }).map(([flag, { summary, value }]) => ({
      name: `--${flag}`,
      summary,
      values: value?.includes("|") ? value.split("|") : [],
    })),
  };
}

/** The words that may stand first, and those after `checkpoint`. */
function firstWords(words: readonly Word[]): string[] {
  return [...new Set(words.map(({ name }) => name.split(" ")[0] ?? ""))];
}

function pairs(words: readonly Word[]): { name: string; second: string; summary: string }[] {
  return words.flatMap(({ name, summary }) => {
    const [first = "", second] = name.split(" ");
    return second === undefined ? [] : [{ name: first, second, summary }];
  });
}

function bash(words: readonly Word[]): string {
  const values = new Map(
    words.flatMap(({ flags }) => flags).filter((flag) => flag.values.length > 0).map((
      flag,
    ) => [flag.name, flag.values]),
  );
  return `_holdfast() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} choices=
  case $before in
${[...values].map(([flag, list]) => `    ${flag}) choices="${list.join(" ")}" ;;`).join("\n")}
  esac
  if [ -z "$choices" ] && [ "$COMP_CWORD" = 1 ]; then choices="${firstWords(words).join(" ")} --help --version"; fi
  if [ -z "$choices" ]; then
    case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${
    words.map(({ name, flags }) =>
      `      "${name}"${name.includes(" ") ? "" : '" "*'}) choices="${flags.map((flag) => flag.name).join(" ")}" ;;`
    ).join("\n")
  }
    esac
    if [ "$COMP_CWORD" = 2 ]; then
      case \${COMP_WORDS[1]} in
${
    [...Map.groupBy(pairs(words), ({ name }) => name)].map(([name, list]) =>
      `        ${name}) choices="${list.map(({ second }) => second).join(" ")}" ;;`
    ).join("\n")
  }
      esac
    fi
  fi
  COMPREPLY=($(compgen -W "$choices" -- "$word"))
}
complete -o default -F _holdfast holdfast
`;
}

function zsh(words: readonly Word[]): string {
  return `#compdef holdfast
autoload -U +X bashcompinit && bashcompinit
${bash(words)}`;
}

function fish(words: readonly Word[]): string {
  const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const lines = ["complete -c holdfast -f"];
  for (const { name, summary, flags } of words) {
    const [first = "", second] = name.split(" ");
    const when = `__fish_seen_subcommand_from ${second ?? first}`;
    lines.push(
      second === undefined
        ? `complete -c holdfast -n __fish_use_subcommand -a ${first} -d ${quoted(summary)}`
        : `complete -c holdfast -n '__fish_seen_subcommand_from ${first}; and not __fish_seen_subcommand_from ${second}' -a ${second} -d ${
          quoted(summary)
        }`,
      ...flags.map((flag) =>
        `complete -c holdfast -n '${when}' -l ${flag.name.slice(2)} -d ${quoted(flag.summary)}${
          flag.values.length > 0 ? ` -x -a ${quoted(flag.values.join(" "))}` : ""
        }`
      ),
    );
  }
  const parents = [...new Set(pairs(words).map(({ name }) => name))];
  lines.push(...parents.map((name) => `complete -c holdfast -n __fish_use_subcommand -a ${name}`));
  return `${lines.join("\n")}\n`;
}

function powershell(words: readonly Word[]): string {
  const rows = words.map(({ name, flags }) => `    '${name}' = @(${flags.map((flag) => `'${flag.name}'`).join(", ")})`);
  return `Register-ArgumentCompleter -Native -CommandName holdfast -ScriptBlock {
  param($word, $line)
  $commands = @{
${rows.join("\n")}
  }
  $given = @($line.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" } | Where-Object { $_ -ne $word })
  $name = $commands.Keys | Where-Object { "$($given -join ' ') ".StartsWith("$_ ") } | Select-Object -First 1
  $choices = if ($name) { $commands[$name] }
    else { $commands.Keys | ForEach-Object { ($_ -split ' ')[$given.Count] } | Where-Object { $_ } | Sort-Object -Unique }
  $choices | Where-Object { $_ -like "$word*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`;
}

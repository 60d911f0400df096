import type { Command, CommandOption } from "./command.ts";
import { commonOptions } from "./command-line.ts";

function optionLines(options: Readonly<Record<string, CommandOption>>): string[] {
  const names = Object.entries(options).map(([name, option]) => {
    const usage = option.value === null ? `--${name}` : `--${name} ${option.value}`;
    return [usage, `${option.about}${option.required ? " (needed)" : ""}`] as const;
  });
  const width = Math.max(...names.map(([usage]) => usage.length));
  return names.map(([usage, about]) => `  ${usage.padEnd(width)}  ${about}`);
}

const getName = ({ name, takesId, takesMore }: Command): string =>
  [name, ...(takesId === undefined ? [] : [takesId]), ...(takesMore === undefined ? [] : [takesMore])].join(" ");

/** Commands that are about one thing. */
export interface CommandGroup {
  readonly heading: string;
  readonly commands: readonly Command[];
}

/** A line for each command. */
export function listCommands(commands: readonly Command[], width = measureNames(commands)): string {
  return commands.map((command) => `  ${getName(command).padEnd(width)}  ${command.about}`).join("\n");
}

const measureNames = (commands: readonly Command[]): number =>
  Math.max(...commands.map((command) => getName(command).length));

const EXAMPLES = [
  "postern connections add --preset openai --key-stdin < key.txt",
  "postern keys create --name laptop --limit-usd 20 --reset monthly",
  "postern clients connect claude-code --yes",
  "postern usage --by model --json",
];

/** `postern --help`. */
export function overview(groups: readonly CommandGroup[]): string {
  const width = measureNames(groups.flatMap(({ commands }) => commands));
  return [
    "postern COMMAND: talks to the Postern that has a data folder open. Only `run` starts one.",
    ...groups.flatMap(({ heading, commands }) => ["", `${heading}:`, listCommands(commands, width)]),
    "",
    "Examples:",
    ...EXAMPLES.map((example) => `  ${example}`),
    "",
    "With every command:",
    ...optionLines(commonOptions),
    "",
    "Exit codes: 0 done, 1 failed, 2 wrong arguments.",
  ].join("\n");
}

/** `postern COMMAND --help`. */
export function formatHelp(command: Command): string {
  const options = { ...command.options, ...commonOptions };
  return [`postern ${getName(command)}: ${command.about}.`, "", ...optionLines(options)].join("\n");
}

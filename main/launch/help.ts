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
  [name, ...(takesId ? ["ID"] : []), ...(takesMore === undefined ? [] : [takesMore])].join(" ");

/** `postern --help`. */
export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map((command) => getName(command).length));
  return [
    "postern COMMAND: talks to the Postern that has a data folder open. It starts nothing.",
    "",
    ...commands.map((command) => `  ${getName(command).padEnd(width)}  ${command.about}`),
    "",
    "With every command:",
    ...optionLines(commonOptions),
    "",
    "Exit codes: 0 done, 1 failed, 2 wrong arguments.",
  ].join("\n");
}

/** `postern COMMAND --help`. */
export function helpFor(command: Command): string {
  const options = { ...command.options, ...commonOptions };
  return [`postern ${getName(command)}: ${command.about}.`, "", ...optionLines(options)].join("\n");
}

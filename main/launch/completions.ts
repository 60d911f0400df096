import type { Command } from "./command.ts";
import { commonOptions } from "./command-line.ts";
import { UsageError } from "./command-errors.ts";

type Script = (commands: readonly Command[]) => string;

const SHELLS: Readonly<Record<string, Script>> = {
  bash: writeBash,
  zsh: (commands) => `#compdef postern\nautoload -U +X bashcompinit && bashcompinit\n${writeBash(commands)}`,
  fish: writeFish,
};

/** Makes the command that prints a shell's completions of all others. @param list itself among them */
export function createCompletions(list: () => readonly Command[]): Command {
  const names = Object.keys(SHELLS).join(", ");
  return {
    name: "completions",
    about: `print completions for a shell: ${names}`,
    takesId: "SHELL",
    options: {},
    run(_context, { id }) {
      const script = SHELLS[id]?.(list());
      if (script === undefined) throw new UsageError(`"completions" takes ${names}, not "${id}".`);
      return Promise.resolve({ json: { shell: id, script }, text: script });
    },
  };
}

const listOptions = ({ options }: Command): readonly (readonly [name: string, about: string, takesValue: boolean])[] =>
  Object.entries({ ...options, ...commonOptions }).map(([name, { about, value }]) => [name, about, value !== null]);

/** Groups second words of commands by their first. */
function groupWords(commands: readonly Command[]): ReadonlyMap<string, readonly Command[]> {
  return Map.groupBy(commands, ({ name }) => name.split(" ", 1)[0] ?? name);
}

const getSecondWord = ({ name }: Command): string => name.split(" ")[1] ?? "";

/** Bash matches the words so far with cases, longer names first. */
function writeBash(commands: readonly Command[]): string {
  const groups = groupWords(commands);
  const writeCase = (pattern: string, words: readonly string[]): string =>
    `    ${pattern}) choices="${words.filter((word) => word !== "").join(" ")}" ;;`;
  const options = (command: Command): readonly string[] => listOptions(command).map(([name]) => `--${name}`);
  const own = commands
    .filter(({ name }) => name.includes(" "))
    .map((command) => writeCase(`"${command.name}"|"${command.name} "*`, options(command)));
  const first = [...groups].map(([word, members]) => {
    const alone = members.find(({ name }) => name === word);
    const words = [...members.map(getSecondWord), ...(alone === undefined ? [] : options(alone))];
    return writeCase(alone === undefined ? `"${word}"` : `"${word}"|"${word} "*`, words);
  });
  return [
    "_postern() {",
    '  local words="${COMP_WORDS[*]:1:COMP_CWORD-1}" choices=""',
    '  case "$words" in',
    writeCase('""', [...groups.keys(), "--help"]),
    ...own,
    ...first,
    "  esac",
    '  COMPREPLY=($(compgen -W "$choices" -- "${COMP_WORDS[COMP_CWORD]}"))',
    "}",
    "complete -o default -F _postern postern",
  ].join("\n");
}

function writeFish(commands: readonly Command[]): string {
  const quote = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const seen = (...words: readonly string[]): string => `__fish_seen_subcommand_from ${words.join(" ")}`;
  const lines = [...groupWords(commands)].flatMap(([word, members]) => {
    const seconds = members.map(getSecondWord).filter((second) => second !== "");
    const offered = members.map((command) => {
      const second = getSecondWord(command);
      const when = second === "" ? "__fish_use_subcommand" : `${seen(word)}; and not ${seen(...seconds)}`;
      return `complete -c postern -f -n ${quote(when)} -a ${quote(second || word)} -d ${quote(command.about)}`;
    });
    const isGroup = members.every(({ name }) => name !== word);
    const head = `complete -c postern -f -n __fish_use_subcommand -a ${quote(word)} -d ${quote(seconds.join(", "))}`;
    return [...(isGroup ? [head] : []), ...offered, ...members.flatMap((command) => writeFishOptions(command, word))];
  });
  return lines.join("\n");

  function writeFishOptions(command: Command, word: string): string[] {
    const second = getSecondWord(command);
    const when = second === "" ? seen(word) : `${seen(word)}; and ${seen(second)}`;
    return listOptions(command).map(
      ([name, about, takesValue]) =>
        `complete -c postern -n ${quote(when)} -l ${name}${takesValue ? " -r" : ""} -d ${quote(about)}`,
    );
  }
}

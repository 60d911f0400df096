import { parseArgs, type ParseArgsConfig } from "node:util";
import { type Command, type CommandOption, type CommandValues } from "./command.ts";
import { UsageError } from "./command-errors.ts";

/** Options that every command takes. */
export const commonOptions: Readonly<Record<string, CommandOption>> = {
  "data-dir": { value: "DIR", about: "the data folder of the Postern to talk to" },
  json: { value: null, about: "one line of JSON instead of text" },
  help: { value: null, about: "this text" },
};

/** Commands of earlier versions, and what does their work. */
const MOVED: ReadonlyMap<string, string> = new Map([
  ["history find", "history import"],
  ["history show", "usage --source logs"],
  ["history what-if", "what-if"],
]);

export interface CommandLine {
  readonly command: Command;
  readonly values: CommandValues;
  readonly dataFolder: string | undefined;
  readonly json: boolean;
  readonly help: boolean;
}

/** Returns positions of words that are neither options nor the values of common options: `--data-dir DIR keys list`. */
function wordPositions(argv: readonly string[]): number[] {
  const positions: number[] = [];
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? "";
    if (!word.startsWith("-")) positions.push(index);
    else if (commonOptions[word.slice(2)]?.value) index++;
  }
  return positions;
}

/** Returns the commands that share the first word; empty if that is a command itself. */
export function findSiblings(commands: readonly Command[], argv: readonly string[]): readonly Command[] {
  const words = wordPositions(argv).map((position) => argv[position] ?? "");
  const [first = ""] = words;
  if (words.length !== 1 || commands.some(({ name }) => name === first)) return [];
  return commands.filter(({ name }) => name.startsWith(`${first} `));
}

/** Finds the command of the first words, and the remaining arguments. */
function findCommand(commands: readonly Command[], argv: readonly string[]): [Command, readonly string[]] {
  const positions = wordPositions(argv);
  const words = positions.map((position) => argv[position]);
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(" ");
    const command = commands.find((one) => one.name === name);
    if (command === undefined) continue;
    const used = new Set(positions.slice(0, length));
    return [command, argv.filter((_, index) => !used.has(index))];
  }
  const [first] = words;
  if (first === undefined) throw new UsageError('Which command? "postern --help" lists them.');
  const earlier = words.slice(0, 2).join(" ");
  const moved = MOVED.get(earlier);
  if (moved !== undefined) throw new UsageError(`"${earlier}" is now "${moved}".`);
  const siblings = commands.filter((one) => one.name.startsWith(`${first} `)).map((one) => one.name);
  if (siblings.length > 0) throw new UsageError(`"${first}" needs a second word: ${siblings.join(", ")}.`);
  throw new UsageError(`There is no command "${first}". "postern --help" lists them.`);
}

/** The arguments with the names that options have today: scripts go on working when one is renamed. */
function withPresentNames(command: Command, rest: readonly string[]): string[] {
  const names = Object.entries(command.options).flatMap(([name, { earlier }]) =>
    earlier === undefined ? [] : ([[`--${earlier}`, `--${name}`]] as const),
  );
  const present = new Map<string, string>(names);
  return rest.map((word) => {
    const [flag = ""] = word.split("=", 1);
    return (present.get(flag) ?? flag) + word.slice(flag.length);
  });
}

/** @throws UsageError naming the option */
function parseOptions(command: Command, rest: readonly string[]): ReturnType<typeof parseArgs> {
  const options: NonNullable<ParseArgsConfig["options"]> = {};
  for (const [name, option] of Object.entries({ ...command.options, ...commonOptions })) {
    options[name] = { type: option.value === null ? "boolean" : "string", multiple: option.repeatable === true };
  }
  try {
    return parseArgs({ args: withPresentNames(command, rest), options, allowPositionals: true, strict: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // Node appends advice about unusual file names, which no option here takes.
    throw new UsageError(`${command.name}: ${message.replace(/\. To specify .*$/s, ".")}`, { cause: error });
  }
}

/**
 * Reads the arguments after `postern`.
 * @throws UsageError when the command is unknown, or an option or id is unknown, missing or too many.
 */
export function parseCommandLine(commands: readonly Command[], argv: readonly string[]): CommandLine {
  const [command, rest] = findCommand(commands, argv);
  const { values, positionals } = parseOptions(command, rest);
  const text = (name: string): string | undefined => {
    const value = values[name];
    return typeof value === "string" ? value : undefined;
  };
  const line: CommandLine = {
    command,
    values: {
      id: positionals[0] ?? "",
      more: positionals.slice(1),
      text,
      list: (name) => {
        const value = values[name];
        return Array.isArray(value) ? value.map(String) : [];
      },
      has: (name) => values[name] === true,
    },
    dataFolder: text("data-dir"),
    json: values["json"] === true,
    help: values["help"] === true,
  };
  if (!line.help) checkComplete(command, positionals, (name) => values[name] !== undefined);
  return line;
}

function checkComplete(command: Command, positionals: readonly string[], given: (name: string) => boolean): void {
  const expected = command.takesId === undefined ? 0 : 1;
  if (positionals.length < expected && command.takesId?.startsWith("[") !== true)
    throw new UsageError(
      `"${command.name}" needs ${/^[AI]/.test(command.takesId ?? "") ? "an" : "a"} ${command.takesId}.`,
    );
  const extra = positionals[expected];
  if (extra !== undefined && command.takesMore === undefined)
    throw new UsageError(`"${command.name}" does not take ${JSON.stringify(extra)}.`);
  for (const [name, option] of Object.entries(command.options)) {
    if (option.required && !given(name)) throw new UsageError(`"${command.name}" needs --${name} ${option.value}.`);
  }
}

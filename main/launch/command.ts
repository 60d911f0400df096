import type { ControlClient } from "./control-client.ts";

/** The input of a command. */
export interface CommandContext {
  /** Connects to the instance on first use; fails with a sentence when none is running. */
  readonly control: ControlClient;
  readonly dataFolder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Resolves a path from the caller's folder. */
  readonly resolve: (path: string) => string;
  /** Reads all of standard input, without the final line break. */
  readInput(): Promise<string>;
}

/** The output of a command: the same facts for programs and for people. */
export interface CommandResult {
  /** Printed as one line with `--json`. */
  readonly json: unknown;
  /** Printed without `--json`. */
  readonly text: string;
  /** Present when the command did its work and found that something is wrong: exit code 1. */
  readonly failure?: string;
  /** Sentence on standard error, if standard output is the app's. */
  readonly note?: string;
  /** Exit code of the program that ran. */
  readonly exitCode?: number;
}

export interface CommandOption {
  /** Name of its value in the help; null for a switch. */
  readonly value: string | null;
  readonly about: string;
  readonly required?: true;
  readonly repeatable?: true;
  /** Deprecated name, which still works and is in no help. */
  readonly earlier?: string;
}

/** Options of one call, validated against the command's own. */
export interface CommandValues {
  /** The given id; empty for commands without one. */
  readonly id: string;
  /** Arguments after the id, for commands that take more. */
  readonly more: readonly string[];
  text(name: string): string | undefined;
  list(name: string): readonly string[];
  has(name: string): boolean;
}

export interface Command {
  /** `keys create`. */
  readonly name: string;
  readonly about: string;
  /** Label of the first argument in the help: `ID`, `[APP]` if optional; absent for commands without it. */
  readonly takesId?: string;
  /** Label of the arguments after the id in the help; absent for commands without them. */
  readonly takesMore?: string;
  readonly options: Readonly<Record<string, CommandOption>>;
  run(context: CommandContext, values: CommandValues): Promise<CommandResult>;
}

import { type CommandValues } from "./command.ts";
import { UsageError } from "./command-errors.ts";

/** Readers of option values; errors name the option and its accepted values. */

/** @returns undefined if the option is not given */
export function numberOption(values: CommandValues, name: string): number | undefined {
  const text = values.text(name);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number)) throw new UsageError(`--${name} takes a number, not "${text}".`);
  return number;
}

export function integerOption(values: CommandValues, name: string): number | undefined {
  const number = numberOption(values, name);
  if (number !== undefined && !Number.isInteger(number)) {
    throw new UsageError(`--${name} takes a whole number, not "${values.text(name)}".`);
  }
  return number;
}

const MAX_ROWS = 500;

/** An option for how many rows a list has. */
export const limitRows = (what: string, usual: number) => ({
  value: "N",
  about: `${what}; ${usual} without it, at most ${MAX_ROWS}`,
  read: (values: CommandValues, name: string): number => readLimit(values, name, usual),
});

export function readLimit(values: CommandValues, name: string, usual: number): number {
  const limit = integerOption(values, name) ?? usual;
  if (limit < 1 || limit > MAX_ROWS) throw new UsageError(`--${name} takes a number from 1 to ${MAX_ROWS}.`);
  return limit;
}

export function choiceOption<const C extends string>(
  values: CommandValues,
  name: string,
  choices: readonly C[],
): C | undefined {
  const text = values.text(name);
  if (text === undefined) return undefined;
  const choice = choices.find((one) => one === text);
  if (choice === undefined) throw new UsageError(`--${name} takes ${choices.join(", ")}, not "${text}".`);
  return choice;
}

/** An ISO 8601 date or time. @returns Unix milliseconds; a date alone is the start of that UTC day. */
export function timeOption(values: CommandValues, name: string): number | undefined {
  const text = values.text(name);
  if (text === undefined) return undefined;
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) throw new UsageError(`--${name} takes an ISO date such as 2026-12-31, not "${text}".`);
  return at;
}

/** Comma-separated entries, empty ones left out. */
export function listOption(values: CommandValues, name: string): string[] | undefined {
  const entries = values
    .text(name)
    ?.split(",")
    .map((entry) => entry.trim());
  return entries?.filter((entry) => entry !== "");
}

/** Leaves out the fields that were not given, so that the gateway's own defaults hold. */
export function given<T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

import type { UnitClass } from "../../contract/receipt.ts";
import type { HistoryAgent } from "../../contract/history.ts";

/** Token classes of logs, in the order of an entry's figures. They are disjoint, as in receipts. */
export const HISTORY_UNITS = [
  "input",
  "cached_input",
  "cache_write",
  "cache_write_1h",
  "output",
  "reasoning",
] as const satisfies readonly UnitClass[];

/** Tokens of each class of `HISTORY_UNITS`. */
export type HistoryTokens = readonly [number, number, number, number, number, number];

/** A response that an agent has logged. */
export interface HistoryEntry {
  readonly agent: HistoryAgent;
  /** Entries with the same key are copies of one response. */
  readonly key: string;
  /** Identifies a message of a session, so that its replay in a side conversation is recognized; "" if unknown. */
  readonly scope: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly model: string;
  readonly session: string;
  /** The folder that the agent worked in. */
  readonly project: string;
  /** Service tier and the like if not standard, as formatted by `servedText`; else "". */
  readonly served: string;
  readonly sidechain: boolean;
  /** Whether its request went through Postern and has a receipt. */
  readonly postern: boolean;
  readonly tokens: HistoryTokens;
}

/** A counted response, represented by one of its copies. */
export type CountedEntry = Omit<HistoryEntry, "scope">;

/** Stored result of one reading of a log; the next reading continues at its end. */
export interface HistoryBatch {
  readonly agent: HistoryAgent;
  /** Path of the log. */
  readonly file: string;
  /** Bytes of the log that were read for it. */
  readonly from: number;
  readonly to: number;
  /** A checksum of the bytes right before `to`: other bytes there are another log. */
  readonly tail: string;
  /** Reader state that the rest of the log needs. */
  readonly state: unknown;
  readonly entries: readonly HistoryEntry[];
}

export const computeTotal = (tokens: HistoryTokens): number => tokens.reduce((sum, count) => sum + count, 0);

/** Tokens of a prompt, cached or not. */
export const readPrompt = ([input, cached, write, writeHour]: HistoryTokens): number =>
  input + cached + write + writeHour;

/** A value that a price may depend on; providers use no other form. */
const SERVED_VALUE = /^[\w.-]{1,32}$/;

/** Facts of how a call was served as one short text, and back. */
export const servedText = (facts: Readonly<Record<string, string>> = {}): string =>
  Object.entries(facts)
    .filter(([, value]) => SERVED_VALUE.test(value))
    .map(([fact, value]) => `${fact}=${value}`)
    .join(" ");

export function readServed(text: string): Readonly<Record<string, string>> | undefined {
  if (text === "") return undefined;
  return Object.fromEntries(text.split(" ").map((pair) => pair.split("=", 2) as [string, string]));
}

/** Returns a token count of a log; 0 for anything but a whole number. */
export const findCount = (value: unknown): number =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0;

/** A text with something in it, or null. Longer ones than any name are cut. */
export function findName(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const text = value.trim();
  return text === "" ? null : text.slice(0, 512);
}

/** Parses an ISO date to Unix milliseconds; null for anything else. */
export function findMoment(value: unknown): number | null {
  const at = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) || at < 0 ? null : at;
}

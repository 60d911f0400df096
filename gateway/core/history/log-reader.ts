import type { HistoryEntry } from "./history-entry.ts";

/** The result of a line. `other`: nothing of ours, as most lines of a log. `broken`: it should have been JSON. */
export type ReadLine = "read" | "other" | "broken";

/** The facts about a log before its first line is read. */
export interface LogPlace {
  /** Names of the folders below the agent's own, outermost first. */
  readonly folders: readonly string[];
  /** The file's name without its ending. */
  readonly stem: string;
}

/** Reads the lines of one log in their order. It can be put away between two lines and go on from its state. */
export interface LogReader {
  /** @param line without its newline */
  read(line: Buffer): ReadLine;
  /** Returns the entries since the last call. */
  take(): readonly HistoryEntry[];
  /** State as JSON: a reader that is made with it goes on here. */
  readonly state: unknown;
}

/** The object that a line holds; undefined when it holds none. */
export function findObject(line: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line.toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

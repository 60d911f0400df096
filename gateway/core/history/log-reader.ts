import type { HistoryEntry } from "./history-entry.ts";

/** Result of a line. `other`: not relevant, like most lines of a log. `broken`: invalid JSON. */
export type ReadLine = "read" | "other" | "broken";

/** The facts about a log before its first line is read. */
export interface LogPlace {
  /** Names of the folders below the agent's own, outermost first. */
  readonly folders: readonly string[];
  /** The file's name without its ending. */
  readonly stem: string;
}

/** Reads the lines of one log in order. It can be suspended between lines and resumed from its state. */
export interface LogReader {
  /** @param line without its newline */
  read(line: Buffer): ReadLine;
  /** Returns the entries since the last call. */
  take(): readonly HistoryEntry[];
  /** State as JSON, from which a new reader continues. */
  readonly state: unknown;
}

/** Parses the object of a line; undefined if it has none. */
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

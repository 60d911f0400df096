import { isRecord } from "../../lib/records.ts";
import type { Change } from "../document.ts";
import { getBytes, readLines } from "../disk/line.ts";
import type { BadRange } from "../disk/line.ts";
import { isChange } from "../validate.ts";

/** A line of the journal: all changes of one `commit`. A line without changes only uses up a number. */
export interface JournalEntry {
  readonly seq: number;
  readonly ts: number;
  readonly changes: readonly Change[];
}

export interface JournalContent {
  readonly entries: readonly JournalEntry[];
  readonly bad: readonly BadRange[];
  /** Lines with a valid checksum but partly or completely invalid content. */
  readonly invalid: readonly Buffer[];
}

/**
 * Reads the bytes of one journal file. Damaged and foreign lines are skipped and reported.
 * @param after lines up to this number are already in the state: their changes are neither checked nor returned
 */
export function readJournal(bytes: Buffer, after: number): JournalContent {
  const { lines, bad } = readLines(bytes);
  const entries: JournalEntry[] = [];
  const invalid: Buffer[] = [];
  for (const line of lines) {
    const { value } = line;
    if (!isEntry(value)) {
      invalid.push(getBytes(bytes, line));
      continue;
    }
    if (value.seq <= after) continue;
    const changes = value.changes.filter(isChange);
    if (changes.length < value.changes.length) invalid.push(getBytes(bytes, line));
    entries.push({ seq: value.seq, ts: value.ts, changes });
  }
  return { entries, bad, invalid };
}

function isEntry(value: unknown): value is { seq: number; ts: number; changes: unknown[] } {
  return (
    isRecord(value) &&
    Number.isSafeInteger(value["seq"]) &&
    typeof value["ts"] === "number" &&
    Array.isArray(value["changes"])
  );
}

export const journalName = (firstSeq: number): string => `journal.${firstSeq}.ndjson`;

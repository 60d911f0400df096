import type { StoreFs } from "./store-fs.ts";
import type { StoreWriteError } from "../store.ts";

/** A line of a log to be written. */
export interface LogEntry {
  /** Path of its file. Asked for right before it is written. @param index how many lines this log has written before it */
  path(index: number): string;
  /** The line with its newline, read right before it is written; empty: its file is created and nothing is written. */
  line(index: number): string;
  /** Receives its byte offset before it is synced. */
  setPlace?(offset: number): void;
  /** Called when the line is written but not synced. Logs that accept every line drop the callback. */
  written?(): void;
  /** It is on the disk. */
  noteSync?(): void;
  /** Called if the line is not on the disk and will not be. Without this callback the line is kept and retried. */
  refused?(error: StoreWriteError): void;
  /** Whether a caller waits until it is synced. */
  readonly awaited: boolean;
}

export interface AppendLogParts {
  readonly fs: StoreFs;
  /** The name in messages: "The … cannot be written". */
  readonly name: string;
  /** Called with the disk's error when it refuses, and with null when it has recovered. */
  readonly onHealth?: (failure: unknown) => void;
  /** A file was opened to go on in it. @param path of it */
  readonly onFile?: (path: string) => void;
  /** Min milliseconds between two syncs, each of which serves all waiting lines. */
  readonly restMs?: number;
}

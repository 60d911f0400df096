import type { StoreFs } from "./store-fs.ts";
import type { StoreWriteError } from "../store.ts";

/** A line of a log, on its way to the disk. */
export interface LogEntry {
  /** Path of its file. Asked for right before it is written. @param index how many lines this log has written before it */
  path(index: number): string;
  /** The line with its newline, read right before it is written; empty: its file is created and nothing is written. */
  line(index: number): string;
  /** Receives its byte offset before it is synced. */
  setPlace?(offset: number): void;
  /** It is in the kernel. In a log none of whose lines can be refused, it is not asked for its line again. */
  written?(): void;
  /** It is on the disk. */
  noteSync?(): void;
  /** It is not on the disk and will not be. Without this function it is kept, and tried again until the disk takes it. */
  refused?(error: StoreWriteError): void;
  /** Whether a caller waits until it is synced. */
  readonly awaited: boolean;
}

export interface AppendLogParts {
  readonly fs: StoreFs;
  /** The name in messages: "The … cannot be written". */
  readonly name: string;
  /** Receives the disk's error when it refuses, and null when it takes everything again. */
  readonly onHealth?: (failure: unknown) => void;
  /** A file was opened to go on in it. @param path of it */
  readonly onFile?: (path: string) => void;
  /** A sync serves all that wait: at least so long between the beginnings of two. */
  readonly restMs?: number;
}

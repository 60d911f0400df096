import type { LogEntry } from "./append-log-parts.ts";

/** Lines that share one write. */
const GROUP_CHARACTERS = 1024 * 1024;

/** Lines that were written by a moment. */
export interface Written {
  readonly count: number;
  readonly index: number;
}

/** How far each line of a log has come, in their order: in the queue, being written, written, synced. */
export class LogLines {
  #queue: LogEntry[] = [];
  /** Being written at this moment, and the number of the line after them. */
  #trying: LogEntry[] = [];
  #nextIndex = 0;
  /** Written and not synced. */
  #unsynced: LogEntry[] = [];
  /** How many lines are written, and how many of them are synced. */
  #index = 0;
  #syncedIndex = 0;

  push(entry: LogEntry): void {
    this.#queue.push(entry);
  }

  get areQueued(): boolean {
    return this.#queue.length > 0;
  }

  someQueued(matches: (entry: LogEntry) => boolean): boolean {
    return this.#queue.some(matches) || this.#trying.some(matches);
  }

  get areUnsynced(): boolean {
    return this.#unsynced.length > 0;
  }

  /** Path of the file that the next line belongs to; undefined without a next line. */
  get nextPath(): string | undefined {
    return this.#queue[0]?.path(this.#index);
  }

  /**
   * Removes the next lines of a file from the queue. @param offset their offset in the file @returns them as one text
   */
  take(path: string, offset: number): string {
    let text = "";
    let index = this.#index;
    let count = 0;
    for (const entry of this.#queue) {
      if (text.length >= GROUP_CHARACTERS || entry.path(index) !== path) break;
      const line = entry.line(index);
      if (entry.setPlace !== undefined) {
        entry.setPlace(offset);
        offset += Buffer.byteLength(line);
      }
      if (line !== "") index += 1;
      text += line;
      count += 1;
    }
    const all = count === this.#queue.length;
    this.#trying = all ? this.#queue : this.#queue.slice(0, count);
    this.#queue = all ? [] : this.#queue.slice(count);
    this.#nextIndex = index;
    return text;
  }

  /** Marks the lines that were taken as written. */
  wrote(): void {
    for (const entry of this.#trying) {
      entry.written?.();
      this.#unsynced.push(entry);
    }
    this.#trying = [];
    this.#index = this.#nextIndex;
  }

  get written(): Written {
    return { count: this.#unsynced.length, index: this.#index };
  }

  /** Marks everything that was written by then as synced. */
  confirm({ count, index }: Written): void {
    this.#syncedIndex = index;
    for (const entry of this.#unsynced.splice(0, count)) entry.noteSync?.();
  }

  /** Whether unsynced lines must be refused if the sync fails. */
  get areAwaited(): boolean {
    return this.#unsynced.some((entry) => entry.refused !== undefined);
  }

  /** The written ones that are not synced come back into the queue: they are taken out of the file. */
  takeBack(): void {
    this.#queue = [...this.#unsynced, ...this.#trying, ...this.#queue];
    this.#unsynced = [];
    this.#trying = [];
    this.#index = this.#syncedIndex;
  }

  /** Keeps the lines in the queue that are not refused. @returns the others */
  refuse(): LogEntry[] {
    const queue = [...this.#trying, ...this.#queue];
    this.#trying = [];
    this.#queue = queue.filter((entry) => entry.refused === undefined);
    return queue.filter((entry) => entry.refused !== undefined);
  }
}

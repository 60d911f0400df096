import { setImmediate as nextTurn } from "node:timers/promises";
import { searchText } from "../../core/media/prompt-search.ts";
import type { MediaLine, PendingMedia } from "./media-lines.ts";
import type { LinePlace } from "../disk/line-log.ts";
import { matcherOf } from "./media-row.ts";
import type { MediaFilter, MediaRow, PosterFile } from "./media-row.ts";

export interface MediaQuery extends MediaFilter {
  readonly limit: number;
  /** A row's number, as the previous page gave it. */
  readonly before: number | null;
  /** Results to pass over, counted from there. */
  readonly offset?: number | undefined;
}

export interface FoundRows {
  readonly rows: MediaRow[];
  /** To go on with as `before`; null at the end. */
  readonly next: number | null;
  /** How many match, on all pages. */
  readonly total: number;
}

/** So many rows are looked at in one turn of the event loop: some milliseconds of searching long prompts. */
const ROWS_A_TURN = 5_000;

/** The library's list in memory, in the order in which results were saved. What left it leaves its number empty. */
export class MediaIndex {
  readonly pending = new Map<string, PendingMedia>();
  /** Bytes of lines that say nothing any more. */
  deadBytes = 0;
  readonly #rows: (MediaRow | null)[] = [];
  readonly #byId = new Map<string, MediaRow>();
  /** How many entries and posters name a file. */
  readonly #names = new Map<string, number>();
  /** One string for each model and key, not one for each row. */
  readonly #words = new Map<string, string>();
  readonly #deleted = new Set<MediaRow>();
  #lastPrompt = "";
  /** Changes with everything that could change a list. */
  #version = 0;
  #counted: { readonly filter: string; readonly version: number; readonly total: number } | null = null;

  /** Entries that are in the library. */
  get size(): number {
    return this.#byId.size - this.#deleted.size;
  }

  /** Entries that were taken out, and whose files are still there. */
  get deleted(): ReadonlySet<MediaRow> {
    return this.#deleted;
  }

  apply(line: MediaLine, place: LinePlace): void {
    switch (line.op) {
      case "begun":
        return;
      case "add":
        return this.#add(line, place);
      case "pending":
        if (!this.#byId.has(line.pending.id)) this.pending.set(line.pending.id, line.pending);
        return;
      case "drop":
        this.pending.delete(line.id);
        this.deadBytes += 2 * place.length;
        return;
      case "missing":
      case "found":
        return this.#change(line.id, (row) => (row.missing = line.op === "missing"));
      case "poster":
        return this.#change(line.id, (row) => this.#setPoster(row, line.poster));
      case "deleted":
        for (const id of line.ids) this.#change(id, (row) => this.#setDeleted(row, line.until));
        return;
      case "restored":
        for (const id of line.ids) this.#change(id, (row) => this.#setDeleted(row, null));
        return;
      case "removed":
        this.deadBytes += place.length;
        for (const id of line.ids) this.#change(id, (row) => this.#remove(row));
    }
  }

  /** An entry, whether or not it was taken out. */
  get(id: string): MediaRow | undefined {
    return this.#byId.get(id);
  }

  /** How many entries and posters name a file. */
  namesOf(sha256: string): number {
    return this.#names.get(sha256) ?? 0;
  }

  /** What is in the library, oldest first. */
  *oldestFirst(): Generator<MediaRow> {
    for (const row of this.#rows) if (row !== null && row.deletedUntil === null) yield row;
  }

  /**
   * Newest first. Results that come in meanwhile are on no later page. A long search lets others have their turns.
   */
  async list({ limit, before, offset = 0, ...filter }: MediaQuery): Promise<FoundRows> {
    const matches = matcherOf(filter);
    const known = matches === null ? this.size : this.#knownTotal(filter);
    const version = this.#version;
    const rows: MediaRow[] = [];
    let total = 0;
    let passed = 0;
    let next: number | null = null;
    const start = Math.min(before ?? this.#rows.length, this.#rows.length);
    // For the sum, what is before the page counts too.
    for (let number = (known === null ? this.#rows.length : start) - 1; number >= 0; number -= 1) {
      if (number % ROWS_A_TURN === 0 && number > 0) await nextTurn();
      const row = this.#rows[number];
      if (row === null || row === undefined || row.deletedUntil !== null || matches?.(row) === false) continue;
      total += 1;
      if (number >= start) continue;
      if (passed < offset) passed += 1;
      else if (rows.length < limit) rows.push(row);
      else {
        next ??= (rows.at(-1) as MediaRow).number;
        if (known !== null) break;
      }
    }
    // Of the list as it was at the beginning: when it has changed since, this count is never asked for.
    if (known === null) this.#counted = { filter: textOf(filter), version, total };
    return { rows, next, total: known ?? total };
  }

  #knownTotal(filter: MediaFilter): number | null {
    const counted = this.#counted;
    return counted?.version === this.#version && counted.filter === textOf(filter) ? counted.total : null;
  }

  #add({ entry, extension }: MediaLine & { op: "add" }, place: LinePlace): void {
    if (this.pending.delete(entry.id)) this.deadBytes += place.length;
    // Somebody may have put two copies of a log together.
    if (this.#byId.has(entry.id)) return;
    const { id, at, kind, bytes, sha256, origin } = entry;
    const row: MediaRow = {
      id,
      number: this.#rows.length,
      at,
      kind,
      model: this.#word(origin?.model ?? ""),
      key: this.#word(origin?.key ?? ""),
      nano: origin?.nano ?? null,
      prompt: this.#prompt(origin?.prompt ?? ""),
      extension: this.#word(extension),
      bytes,
      sha256,
      place,
      missing: false,
      poster: null,
      deletedUntil: null,
    };
    this.#rows.push(row);
    this.#byId.set(id, row);
    this.#name(sha256, 1);
    this.#version += 1;
  }

  #change(id: string, change: (row: MediaRow) => void): void {
    const row = this.#byId.get(id);
    if (row !== undefined) change(row);
  }

  #setPoster(row: MediaRow, poster: PosterFile): void {
    if (row.poster !== null) this.#name(row.poster.sha256, -1);
    this.#name(poster.sha256, 1);
    row.poster = poster;
  }

  #setDeleted(row: MediaRow, until: number | null): void {
    row.deletedUntil = until;
    if (until === null) this.#deleted.delete(row);
    else this.#deleted.add(row);
    this.#version += 1;
  }

  #remove(row: MediaRow): void {
    this.#rows[row.number] = null;
    this.#byId.delete(row.id);
    this.#deleted.delete(row);
    this.#name(row.sha256, -1);
    if (row.poster !== null) this.#name(row.poster.sha256, -1);
    this.deadBytes += row.place.length;
    this.#version += 1;
  }

  #name(sha256: string, by: 1 | -1): void {
    const names = this.namesOf(sha256) + by;
    if (names === 0) this.#names.delete(sha256);
    else this.#names.set(sha256, names);
  }

  #word(text: string): string {
    const known = this.#words.get(text);
    if (known !== undefined) return known;
    this.#words.set(text, text);
    return text;
  }

  /** The results of one call come one after another, with the same prompt. */
  #prompt(prompt: string): string {
    const text = searchText(prompt);
    if (text !== this.#lastPrompt) this.#lastPrompt = text;
    return this.#lastPrompt;
  }
}

const textOf = (filter: MediaFilter): string => JSON.stringify(filter);

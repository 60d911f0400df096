import { setImmediate as nextTurn } from "node:timers/promises";
import type { MediaKind } from "../../core/media/media-type.ts";
import type { MediaLine, PendingMedia } from "./media-lines.ts";
import type { LinePlace } from "../disk/line-log.ts";
import { MediaPage, PAGE_ROWS } from "./media-page.ts";
import type { PlacedLine } from "./media-page.ts";
import { matcherOf } from "./media-row.ts";
import type { MediaFilter, MediaRow, PosterFile } from "./media-row.ts";
import { RowTable, hashOf } from "./row-table.ts";

export interface MediaQuery extends MediaFilter {
  readonly limit: number;
  /** A row's number, as the previous page gave it. */
  readonly before: number | null;
  /** Results to pass over, counted from there. */
  readonly offset?: number | undefined;
}

export interface FoundRows {
  readonly rows: MediaRow[];
  /** Value of `before` for the next page; null at the end. */
  readonly next: number | null;
  /** How many match, on all pages. */
  readonly total: number;
}

/** So many rows are looked at in one turn of the event loop: some milliseconds of searching long prompts. */
const ROWS_A_TURN = 5_000;

/** State of a row that may change. */
interface RowState {
  readonly posters: ReadonlyMap<number, PosterFile>;
  readonly deleted: ReadonlyMap<number, number>;
}

/** A row as others see it: what is asked for is read from its page. */
class PagedRow implements MediaRow {
  readonly number: number;
  readonly #page: MediaPage;
  readonly #at: number;
  readonly #state: RowState;

  constructor(number: number, page: MediaPage, state: RowState) {
    this.number = number;
    this.#page = page;
    this.#at = number % PAGE_ROWS;
    this.#state = state;
  }

  get id(): string {
    return this.#page.id(this.#at);
  }

  get at(): number {
    return this.#page.columns.at[this.#at] ?? 0;
  }

  get kind(): MediaKind {
    return this.#page.word("kind", this.#at) as MediaKind;
  }

  get model(): string {
    return this.#page.word("model", this.#at);
  }

  get key(): string {
    return this.#page.word("key", this.#at);
  }

  get nano(): number | null {
    const nano = this.#page.columns.nano[this.#at] ?? Number.NaN;
    return Number.isNaN(nano) ? null : nano;
  }

  get prompt(): string {
    return this.#page.prompt(this.#at);
  }

  get extension(): string {
    return this.#page.word("extension", this.#at);
  }

  get bytes(): number {
    return this.#page.columns.bytes[this.#at] ?? 0;
  }

  get sha256(): string {
    return this.#page.hashAt(this.#at).toString("hex");
  }

  get place(): LinePlace {
    const { offset, length } = this.#page.columns;
    return { offset: offset[this.#at] ?? 0, length: length[this.#at] ?? 0 };
  }

  get missing(): boolean {
    return this.#page.missing[this.#at] === 1;
  }

  get poster(): PosterFile | null {
    return this.#state.posters.get(this.number) ?? null;
  }

  get deletedUntil(): number | null {
    return this.#state.deleted.get(this.number) ?? null;
  }
}

/**
 * The library's list in memory, in the order in which results were saved: pages of columns, some 150 bytes an entry. What
 * left it leaves its number empty.
 */
export class MediaIndex {
  readonly pending = new Map<string, PendingMedia>();
  /** Bytes of lines that say nothing any more. */
  deadBytes = 0;
  /** Full but for the last. */
  readonly #pages: MediaPage[] = [];
  /** Rows that left for good. */
  #removed = 0;
  readonly #byId = new RowTable((number) => this.#page(number).columns.idHash[number % PAGE_ROWS] ?? 0);
  /** How many entries and posters name a file; made when it is first asked for. */
  #names: Map<string, number> | null = null;
  readonly #posters = new Map<number, PosterFile>();
  readonly #deleted = new Map<number, number>();
  readonly #state: RowState = { posters: this.#posters, deleted: this.#deleted };
  /** Lines came in another order than that in the log. */
  #disordered = false;
  /** Changes with everything that could change a list. */
  #version = 0;
  #counted: { readonly filter: string; readonly version: number; readonly total: number } | null = null;

  /** Entries that are in the library. */
  get size(): number {
    return this.#count - this.#removed - this.#deleted.size;
  }

  /** Entries that were taken out, and whose files are still there. */
  get deleted(): readonly MediaRow[] {
    return Array.from(this.#deleted.keys(), (number) => this.#row(number));
  }

  /** How many pages are full and followed by another: no line is added to them any more. */
  get fullPages(): number {
    return this.#disordered ? 0 : Math.max(0, this.#pages.length - 1);
  }

  fullPage(number: number): MediaPage {
    return this.#pages[number] as MediaPage;
  }

  /** Takes pages as they were when they became full, before any line. */
  takePages(pages: readonly MediaPage[]): void {
    this.#byId.reserve(pages.length * PAGE_ROWS);
    for (const page of pages) this.#takePage(page);
  }

  #takePage(page: MediaPage): void {
    const first = this.#pages.push(page) * PAGE_ROWS - PAGE_ROWS;
    for (let row = 0; row < page.count; row += 1) this.#byId.add(first + row);
    if (this.pending.size > 0) for (let row = 0; row < page.count; row += 1) this.#endPending(page, row);
    for (const { line, place } of page.lines) this.#applyLine(line, place);
  }

  apply(line: MediaLine, place: LinePlace): void {
    const page = this.#openPage();
    if (place.offset < page.to) this.#disordered = true;
    page.to = Math.max(page.to, place.offset + place.length + 1);
    if (line.op === "add") this.#add(page, line, place);
    else if (line.op !== "begun") {
      page.lines.push({ line, place });
      this.#applyLine(line, place);
    }
  }

  #applyLine(line: PlacedLine["line"], place: LinePlace): void {
    switch (line.op) {
      case "pending":
        if (this.#find(line.pending.id) === undefined) this.pending.set(line.pending.id, line.pending);
        else this.deadBytes += place.length;
        return;
      case "drop":
        this.pending.delete(line.id);
        this.deadBytes += 2 * place.length;
        return;
      case "missing":
      case "found":
        return this.mark(line.id, line.op === "missing");
      case "poster":
        return this.#change(line.id, (number) => this.#setPoster(number, line.poster));
      case "deleted":
        for (const id of line.ids) this.#change(id, (number) => this.#setDeleted(number, line.until));
        return;
      case "restored":
        for (const id of line.ids) this.#change(id, (number) => this.#setDeleted(number, null));
        return;
      case "removed":
        this.deadBytes += place.length;
        for (const id of line.ids) this.#change(id, (number) => this.#remove(number));
    }
  }

  /** An entry, whether or not it was taken out. */
  get(id: string): MediaRow | undefined {
    const number = this.#find(id);
    return number === undefined ? undefined : this.#row(number);
  }

  /** Whether an entry's file is missing. */
  mark(id: string, missing: boolean): void {
    this.#change(id, (number) => {
      this.#page(number).missing[number % PAGE_ROWS] = missing ? 1 : 0;
    });
  }

  /** How many entries and posters name a file. */
  namesOf(sha256: string): number {
    if (this.#names === null) {
      const names = (this.#names = new Map<string, number>());
      const name = (one: string): unknown => names.set(one, (names.get(one) ?? 0) + 1);
      for (let number = 0; number < this.#count; number += 1)
        if (!this.#isRemoved(number)) name(this.#row(number).sha256);
      for (const { sha256: poster } of this.#posters.values()) name(poster);
    }
    return this.#names.get(sha256) ?? 0;
  }

  /** Yields the rows of the library, oldest first. */
  *oldestFirst(): Generator<MediaRow> {
    for (let number = 0; number < this.#count; number += 1) if (this.#isListed(number)) yield this.#row(number);
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
    const all = this.#count;
    const start = Math.min(before ?? all, all);
    // The total includes rows that are newer than the page.
    for (let number = (known === null ? all : start) - 1; number >= 0; number -= 1) {
      if (number % ROWS_A_TURN === 0 && number > 0) await nextTurn();
      if (!this.#isListed(number)) continue;
      const row = this.#row(number);
      if (matches?.(row) === false) continue;
      total += 1;
      if (number >= start) continue;
      if (passed < offset) passed += 1;
      else if (rows.length < limit) rows.push(row);
      else {
        next ??= (rows.at(-1) as MediaRow).number;
        if (known !== null) break;
      }
    }
    // Valid for the list as it was at the beginning: after a change this count is not used.
    if (known === null) this.#counted = { filter: textOf(filter), version, total };
    return { rows, next, total: known ?? total };
  }

  #knownTotal(filter: MediaFilter): number | null {
    const counted = this.#counted;
    return counted?.version === this.#version && counted.filter === textOf(filter) ? counted.total : null;
  }

  /** Rows that there ever were. */
  get #count(): number {
    const last = this.#pages.at(-1);
    return last === undefined ? 0 : (this.#pages.length - 1) * PAGE_ROWS + last.count;
  }

  #page(number: number): MediaPage {
    return this.#pages[Math.floor(number / PAGE_ROWS)] as MediaPage;
  }

  /** The page that the next line belongs to. */
  #openPage(): MediaPage {
    const last = this.#pages.at(-1);
    if (last !== undefined && !last.full) return last;
    const page = MediaPage.empty(last?.to ?? 0);
    this.#pages.push(page);
    return page;
  }

  #row(number: number): MediaRow {
    return new PagedRow(number, this.#page(number), this.#state);
  }

  #isRemoved(number: number): boolean {
    return this.#page(number).removed[number % PAGE_ROWS] === 1;
  }

  #isListed(number: number): boolean {
    return !this.#isRemoved(number) && !(this.#deleted.size > 0 && this.#deleted.has(number));
  }

  #find(id: string): number | undefined {
    return this.#byId.find(
      hashOf(id),
      (number) => !this.#isRemoved(number) && this.#page(number).id(number % PAGE_ROWS) === id,
    );
  }

  #endPending(page: MediaPage, row: number): void {
    if (this.pending.delete(page.id(row))) this.deadBytes += page.columns.length[row] ?? 0;
  }

  #add(page: MediaPage, line: MediaLine & { op: "add" }, place: LinePlace): void {
    if (this.pending.delete(line.entry.id)) this.deadBytes += place.length;
    // A user may have concatenated two copies of a log.
    if (this.#find(line.entry.id) !== undefined) return;
    page.add(line, place);
    this.#byId.add(this.#count - 1);
    this.#name(line.entry.sha256, 1);
    this.#version += 1;
  }

  #change(id: string, change: (number: number) => void): void {
    const number = this.#find(id);
    if (number !== undefined) change(number);
  }

  #setPoster(number: number, poster: PosterFile): void {
    const before = this.#posters.get(number);
    if (before !== undefined) this.#name(before.sha256, -1);
    this.#name(poster.sha256, 1);
    this.#posters.set(number, poster);
  }

  #setDeleted(number: number, until: number | null): void {
    if (until === null) this.#deleted.delete(number);
    else this.#deleted.set(number, until);
    this.#version += 1;
  }

  #remove(number: number): void {
    const { sha256, poster, place } = this.#row(number);
    this.#page(number).removed[number % PAGE_ROWS] = 1;
    this.#removed += 1;
    this.#deleted.delete(number);
    this.#posters.delete(number);
    this.#name(sha256, -1);
    if (poster !== null) this.#name(poster.sha256, -1);
    this.deadBytes += place.length;
    this.#version += 1;
  }

  #name(sha256: string, by: 1 | -1): void {
    if (this.#names === null) return;
    const names = this.namesOf(sha256) + by;
    if (names === 0) this.#names.delete(sha256);
    else this.#names.set(sha256, names);
  }
}

const textOf = (filter: MediaFilter): string => JSON.stringify(filter);

import type { Receipt } from "../../../gateway/contract/receipt.ts";
import type { RequestPage } from "../../../gateway/contract/requests.ts";
import { RECENT_ROWS } from "../../api/live.ts";
import { getItem, getPlace, measureSize, type ListPiece } from "../../lib/list-pieces.ts";
import type { RowList } from "../../lib/row-list.ts";

export const PAGE_ROWS = 200;
/** Rows beyond the drawn ones that are fetched before they are drawn. */
const AHEAD_ROWS = 100;
/** A list that shows fewer goes on looking by itself: a rare thing is found without scrolling for it. */
const LEAST_ROWS = 60;
/** Pages this far from the rendered rows are dropped, and fetched again by their cursor on return. */
const KEPT_ROWS = 2_000;
/** Max live rows on top of the first page; then it is fetched again, which drops the rest. */
const MOST_LIVE = 1_000;

interface LogPiece extends ListPiece<Receipt> {
  /** Cursor at its start; null at the newest. */
  readonly before: string | null;
}

export interface RequestListOptions {
  readonly fetchPage: (before: string | null, limit: number, signal: AbortSignal) => Promise<RequestPage>;
}

/**
 * The log of requests from the newest on, fetched page by page on scrolling. New requests appear on top while the list is at
 * its start; further down they wait, so that nothing moves under the pointer.
 */
export class RequestList {
  readonly #fetchPage: RequestListOptions["fetchPage"];
  readonly #listeners = new Set<() => void>();
  #pieces: readonly LogPiece[] = [];
  /** Cursor at the end of the oldest page; null at the end of the log. */
  #next: string | null = null;
  #loading = false;
  #epoch = 0;
  /** Ends what is being fetched in this epoch. */
  #end = new AbortController();
  /** Whether the start is being fetched; events about new requests wait for it. */
  #beginning = false;
  /** Whether the top is outdated because fetching the newest failed. */
  #outdated = false;
  #missed: { readonly newest: readonly Receipt[]; readonly isAtTop: () => boolean } | null = null;
  #version = 0;
  #rows: RowList<Receipt> | undefined;
  ready = false;
  error: unknown = null;
  /** Newer requests than are shown. */
  held = 0;
  /** Progress of rebuilding the index, in percent: older requests come after it; null if it is complete. */
  rebuilding: number | null = null;

  constructor({ fetchPage }: RequestListOptions) {
    this.#fetchPage = fetchPage;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly version = (): number => this.#version;

  /** Replaced by a new list on each change, so that React renders it. */
  get rows(): RowList<Receipt> {
    this.#rows ??= this.#snapshot();
    return this.#rows;
  }

  /** Whether older requests are being looked for. */
  get looking(): boolean {
    return this.#loading;
  }

  /** Whether the log has more than is here. */
  get more(): boolean {
    return this.#next !== null;
  }

  /** Fetches the newest again and forgets the rest. */
  async reload(): Promise<void> {
    this.stop();
    const epoch = this.#epoch;
    this.#loading = true;
    this.#beginning = true;
    this.#missed = null;
    this.error = null;
    this.#changed();
    try {
      const page = await this.#fetchPage(null, PAGE_ROWS, this.#end.signal);
      if (epoch !== this.#epoch) return;
      this.#pieces = [{ before: null, items: page.data, size: page.data.length }];
      this.#next = page.cursor;
      this.rebuilding = page.rebuilding;
      this.held = 0;
      this.ready = true;
      this.#outdated = false;
    } catch (error) {
      if (epoch === this.#epoch) [this.error, this.#outdated] = [error, true];
    }
    if (epoch !== this.#epoch) return;
    this.#loading = false;
    this.#beginning = false;
    this.#changed();
    this.#takeMissed();
    if (this.error === null && measureSize(this.#pieces) < LEAST_ROWS) this.#fetchOlder();
  }

  /** Cancels fetches when the list is no longer shown: only `reload` resumes from there. */
  stop(): void {
    this.#epoch += 1;
    this.#end.abort();
    this.#end = new AbortController();
  }

  /** Applies events that arrived during a fetch, because the response may be older than they are. */
  #takeMissed(): void {
    const missed = this.#missed;
    this.#missed = null;
    if (missed !== null) this.takeHead(missed.newest, missed.isAtTop);
  }

  /**
   * Takes the newest requests from events, newest first.
   * @param isAtTop whether the list is at its start
   */
  takeHead(newest: readonly Receipt[], isAtTop: () => boolean): void {
    const [first] = this.#pieces;
    if (this.#beginning) this.#missed = { newest, isAtTop };
    if (this.#beginning || !this.ready || first === undefined) return;
    const known = new Set(first.items?.slice(0, MOST_LIVE).map(({ id }) => id));
    const isKnown = newest.findIndex(({ id }) => known.has(id));
    const fresh = isKnown === -1 ? newest : newest.slice(0, isKnown);
    // Matches by their recordings appear later than requests that came after them.
    const last = newest.findLastIndex(({ id }) => known.has(id));
    const between = newest.slice(0, last + 1).filter(({ id }) => !known.has(id)).length - fresh.length;
    if (isKnown !== -1 && between > 0) return this.#takeBetween(fresh.length + between, isAtTop);
    if (fresh.length === 0) return;
    if (!isAtTop()) {
      this.held = fresh.length;
      return this.#changed();
    }
    const size = first.size + fresh.length;
    const gap = isKnown === -1 && (first.size > 0 || newest.length >= RECENT_ROWS);
    // More arrived together than the events' list holds, or too many are on top.
    if (first.items === null || gap || size > PAGE_ROWS + MOST_LIVE) return void this.reload();
    this.#pieces = [{ before: null, items: [...fresh, ...first.items], size }, ...this.#pieces.slice(1)];
    this.held = 0;
    this.#changed();
  }

  #takeBetween(count: number, isAtTop: () => boolean): void {
    if (isAtTop()) return void this.reload();
    this.held = count;
    this.#changed();
  }

  #want(first: number, last: number): void {
    if (this.#loading || this.error !== null) return;
    let start = 0;
    for (const piece of this.#pieces) {
      const near = start < last + AHEAD_ROWS && start + piece.size > first - AHEAD_ROWS;
      if (near && piece.items === null) return void this.#fetchAgain(piece);
      start += piece.size;
    }
    if (this.#next !== null && last + AHEAD_ROWS >= start) return this.#fetchOlder(first);
  }

  #fetchOlder(first = 0): void {
    const before = this.#next;
    if (before === null || this.#loading) return;
    void this.#load(before, ({ data, cursor }) => {
      this.#next = cursor;
      if (data.length > 0) this.#pieces = [...this.#pieces, { before, items: data, size: data.length }];
      this.#forgetFar(first);
    });
  }

  #fetchAgain(piece: LogPiece): Promise<void> {
    return this.#load(piece.before, ({ data }) => {
      const items = data.slice(0, piece.size);
      this.#pieces = this.#pieces.map((each) => (each === piece ? { ...piece, items, size: items.length } : each));
    });
  }

  async #load(before: string | null, take: (page: RequestPage) => void): Promise<void> {
    const epoch = this.#epoch;
    this.#loading = true;
    this.#changed();
    try {
      const page = await this.#fetchPage(before, PAGE_ROWS, this.#end.signal);
      if (epoch !== this.#epoch) return;
      take(page);
    } catch (error) {
      if (epoch === this.#epoch) this.error = error;
    }
    if (epoch !== this.#epoch) return;
    this.#loading = false;
    this.#changed();
    if (this.error === null && measureSize(this.#pieces) < LEAST_ROWS) this.#fetchOlder();
  }

  /** Resumes after an error. */
  retry(): void {
    this.error = null;
    if (this.ready && !this.#outdated) this.#changed();
    else void this.reload();
  }

  #forgetFar(first: number): void {
    let start = 0;
    this.#pieces = this.#pieces.map((piece, index) => {
      const from = start;
      start += piece.size;
      const far = index > 0 && (from + piece.size < first - KEPT_ROWS || from > first + KEPT_ROWS + PAGE_ROWS);
      return far && piece.items !== null ? { ...piece, items: null } : piece;
    });
  }

  #snapshot(): RowList<Receipt> {
    const pieces = this.#pieces;
    const size = measureSize(this.#pieces);
    return {
      // An additional row stands for the rest to be fetched.
      length: size + (this.#next === null ? 0 : 1),
      at: (index) => getItem(pieces, index),
      findIndex: (match) => getPlace(pieces, match),
      want: (first, last) => this.#want(first, last),
    };
  }

  #changed(): void {
    this.#version += 1;
    this.#rows = undefined;
    for (const listener of this.#listeners) listener();
  }
}

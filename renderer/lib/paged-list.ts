import {
  changeEach,
  createUnknown,
  dropFar,
  getItem,
  getPlace,
  getStart,
  getOverlapping,
  insertPage,
  measureSize,
  replaceHead,
  resize,
  type Chunk,
  type Chunks,
  type ListPage,
  type PageStart,
  type Span,
} from "./list-chunks.ts";
import type { RowList } from "./row-list.ts";

/** Max rows per page that the gateway accepts. */
const MAX_PAGE = 500;
/** Max rows of the first page including new ones; beyond it the list starts over. */
const MAX_HEAD = 2_000;
/** Rows above and below the rendered ones that are fetched before they are rendered. */
const AHEAD_ROWS = 50;
/** A filtered list with fewer rows fetches on by itself: a rare match is found without scrolling. */
const MIN_ROWS = 40;
const NOWHERE: Span = { first: 0, last: 0 };

export interface PagedListOptions<Row, Page extends ListPage<Row> = ListPage<Row>> {
  /** Rows per page. */
  readonly pageRows: number;
  fetchPage(start: PageStart, limit: number, signal: AbortSignal): Promise<Page>;
  /** Waits before a distant place is fetched, so that a jump only fetches its destination. */
  pause(): Promise<void>;
  /** Unix milliseconds. */
  now(): number;
  /** Returns the version of a row to show, given the one in memory; the newer one by default. */
  readonly renew?: (before: Row | undefined, after: Row) => Row;
  /** Tells whether rows fetched together must be refetched, by their last row and time. */
  readonly isOutdated?: (last: Row, at: number) => boolean;
  /** Whether rows may change and move at any time; otherwise rows only arrive on top. */
  readonly isReordered?: boolean;
}

/**
 * A list of any length that only keeps visible pages loaded. Its first page is passed in, because events update it;
 * other pages are fetched relative to the nearest earlier cursor, so that new rows on top move nothing and a far jump
 * is one request. One request runs at a time.
 */
export class PagedList<Row extends { readonly id: string }, Page extends ListPage<Row> = ListPage<Row>> {
  readonly #options: PagedListOptions<Row, Page>;
  readonly #listeners = new Set<() => void>();
  #chunks: Chunks<Row> = [];
  #version = 0;
  #rows: RowList<Row> | undefined;
  /** Incremented when places change, so that earlier responses are discarded. */
  #age = 0;
  /** Number of rows added on top, which shifts the places of a running request. */
  #added = 0;
  #pending: Page | null = null;
  #isDoubted = false;
  #isStopped = false;
  #end = new AbortController();
  #error: unknown = null;
  #looked = NOWHERE;
  #reached = NOWHERE;
  #running: Promise<void> | null = null;
  /** Number of newer rows that wait for `takeHeld`. */
  newer = 0;
  /** The last received first page with its metadata. */
  head: Page | undefined;

  constructor(options: PagedListOptions<Row, Page>) {
    this.#options = options;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  /** Changes with every change of the list. */
  readonly version = (): number => this.#version;

  /** Whether the first page is in memory. */
  get ready(): boolean {
    return this.#chunks.length > 0;
  }
  /** Number of rows; plus one for the rest if the gateway does not count them. */
  get total(): number {
    return measureSize(this.#chunks);
  }
  /** Whether the list continues after the rows in memory. */
  get more(): boolean {
    return this.#chunks.at(-1)?.items === null;
  }
  get isFetching(): boolean {
    return this.#running !== null;
  }
  /** Why visible rows are missing; null without a failure. */
  get error(): unknown {
    return this.#error;
  }
  /** The rows for a table; another object after each change. */
  get rows(): RowList<Row> {
    const chunks = this.#chunks;
    this.#rows ??= {
      length: measureSize(chunks),
      at: (index) => getItem(chunks, index),
      findIndex: (match) => getPlace(chunks, match),
      want: (first, last) => this.check(first, last),
    };
    return this.#rows;
  }

  at(index: number): Row | undefined {
    return getItem(this.#chunks, index);
  }

  /** Returns the place of a loaded row; -1 for any other. */
  getIndex(id: string): number {
    return getPlace(this.#chunks, (row) => row.id === id);
  }

  /**
   * Applies the newest rows. If that moves visible rows, it is applied only if `mayMove`, and else waits for
   * `takeHeld`, so that nothing moves while reading.
   */
  takeHead(page: Page, mayMove: boolean): void {
    this.#isStopped = false;
    this.head = page;
    const added = this.ready && !this.#isDoubted ? this.#countAdded(page) : null;
    if (added !== null) {
      const fresh = new Map(page.data.map((row) => [row.id, row]));
      this.#chunks = changeEach(this.#chunks, (row) => this.#renew(row, fresh.get(row.id) ?? row));
    }
    if (this.#options.isReordered === true && this.ready) this.#replaceHead(page);
    else if (added === null) this.#restart(page, mayMove);
    else if (added > 0 && !mayMove) this.#hold(page, added);
    else this.#prepend(page, added, mayMove);
    if (added === null || added === 0) this.#error = null;
    void this.#run();
  }

  /** Marks the list as inconsistent: the next first page restarts it. */
  doubt(): void {
    this.#isDoubted = true;
  }

  takePending(): void {
    const page = this.#pending;
    if (page !== null) this.takeHead(page, true);
  }

  /** Fetches missing rows from `first` to before `last`. */
  check(first: number, last: number): void {
    this.#looked = { first: Math.max(0, first - AHEAD_ROWS), last: last + AHEAD_ROWS };
    this.#isStopped = false;
    void this.#run();
  }

  /** Returns the row at a place, fetched if needed; undefined if it does not exist or the fetch fails. */
  async reach(index: number): Promise<Row | undefined> {
    if (index < 0 || index >= this.total || this.at(index) !== undefined) return this.at(index);
    const span = { first: index, last: index + 1 };
    this.#reached = span;
    await this.#run();
    const found = this.at(index);
    if (this.#reached === span) this.#reached = NOWHERE;
    return found;
  }

  /** Fetches failed chunks again. */
  retry(): void {
    this.#error = null;
    this.#notifyChange();
    void this.#run();
  }

  /** Cancels the running request when the list is no longer shown; `check` resumes. */
  stop(): void {
    this.#isStopped = true;
    this.#discard();
  }

  /** Replaces a row in memory by another version of it. */
  replace(row: Row): void {
    this.#chunks = changeEach(this.#chunks, (before) => (before.id === row.id ? row : before));
    this.#notifyChange();
  }

  /**
   * Removes rows.
   * @returns a function that restores them in their places, or returns false if their places are lost
   */
  remove(ids: ReadonlySet<string>): () => boolean {
    const changed = new Map<Chunk<Row>, Chunk<Row>>();
    this.#chunks = this.#chunks.map((chunk) => {
      const items = chunk.items?.filter(({ id }) => !ids.has(id));
      if (items === undefined || items.length === chunk.size) return chunk;
      const smaller = { ...chunk, items, size: items.length };
      changed.set(smaller, chunk);
      return smaller;
    });
    const removed = [...changed].reduce((sum, [smaller, chunk]) => sum + chunk.size - smaller.size, 0);
    this.#notifyMove();
    return () => {
      if (removed < ids.size || ![...changed.keys()].every((chunk) => this.#chunks.includes(chunk))) return false;
      this.#chunks = this.#chunks.map((chunk) => changed.get(chunk) ?? chunk);
      this.#notifyMove();
      return true;
    };
  }

  /** Returns how many rows of a page are new on top of this list; null if the lists differ otherwise. */
  #countAdded({ data }: ListPage<Row>): number | null {
    const top = this.#chunks[0]?.items ?? [];
    const [first] = top;
    if (first === undefined) return data.length === 0 ? 0 : null;
    const added = data.findIndex(({ id }) => id === first.id);
    if (added === -1) return null;
    return data.slice(added, added + top.length).every(({ id }, index) => id === top[index]?.id) ? added : null;
  }

  #restart(page: Page, mayMove: boolean): void {
    if (mayMove || this.#isDoubted || !this.ready) return this.#begin(page);
    const here = new Set(this.#chunks.flatMap(({ items }) => (items ?? []).map(({ id }) => id)));
    this.#hold(page, Math.max(1, page.data.filter(({ id }) => !here.has(id)).length));
  }

  /** Adds the first rows of a page on top, and applies its total. */
  #prepend(page: Page, added: number, mayMove: boolean): void {
    const [top, ...rest] = this.#chunks;
    const items = [...page.data.slice(0, added), ...(top?.items ?? [])];
    if (items.length > MAX_HEAD) return this.#begin(page);
    if (top !== undefined && added > 0) this.#chunks = [{ ...top, items, size: items.length }, ...rest];
    this.#added += added;
    this.#release();
    const { total = this.total } = page;
    if (total !== this.total && !this.#resize(total)) return mayMove ? this.#begin(page) : this.#hold(page, 0);
    this.#notifyChange();
  }

  /** @returns whether the length was changed without moving visible rows */
  #resize(total: number): boolean {
    const chunks = resize(this.#chunks, total, [this.#looked, this.#reached]);
    if (chunks === null) return false;
    this.#chunks = chunks;
    this.#notifyMove();
    return true;
  }

  #replaceHead(page: Page): void {
    this.#chunks = replaceHead(this.#chunks, this.#renewPage(page), this.#options.now());
    this.#notifyMove();
  }

  #begin(page: Page): void {
    const head = { ...this.#renewPage(page), size: page.data.length, after: page.cursor, at: this.#options.now() };
    const { data: items, size, after, at } = head;
    const rest = page.cursor === null ? 0 : Math.max(1, (page.total ?? 0) - size);
    this.#release();
    this.#isDoubted = false;
    this.#chunks = [{ items, size, after, at }, ...(rest > 0 ? [createUnknown(rest)] : [])];
    this.#notifyMove();
  }

  #hold(page: Page, newer: number): void {
    this.#pending = page;
    this.newer = newer;
    this.#notifyChange();
  }

  #release(): void {
    this.#pending = null;
    this.newer = 0;
  }

  async #run(): Promise<void> {
    if (this.#findMissing() !== null && this.#error === null) this.#running ??= this.#fetchAll();
    await this.#running;
  }

  async #fetchAll(): Promise<void> {
    // The first step runs asynchronously, because `#running` must be set before it is cleared.
    await Promise.resolve();
    let paused: Span = NOWHERE;
    // There is no await between the last check and the end, so no change is missed.
    for (let next = this.#findMissing(); next !== null && this.#error === null; next = this.#findMissing()) {
      const start = getStart(this.#chunks, next.first);
      if (start.offset > 0 && this.#reached === NOWHERE && (next.first !== paused.first || next.last !== paused.last)) {
        paused = next;
        await this.#options.pause();
        continue;
      }
      await this.#fetch(next, start);
    }
    this.#running = null;
    this.#notifyChange();
  }

  async #fetch({ first, last }: Span, start: PageStart): Promise<void> {
    const [age, added] = [this.#age, this.#added];
    try {
      const page = await this.#options.fetchPage(start, last - first, this.#end.signal);
      if (age !== this.#age) return;
      const moved = this.#added - added;
      const isStuck = page.data.length === 0 && page.cursor === start.before;
      this.#chunks = insertPage(
        this.#chunks,
        { first: first + moved, last: last + moved },
        { data: this.#renewPage(page).data, cursor: isStuck ? null : page.cursor },
        this.#options.now(),
      );
      this.#chunks = dropFar(this.#chunks, [this.#looked, this.#reached]);
    } catch (error) {
      if (age === this.#age) this.#error = error;
    }
    this.#notifyChange();
  }

  /** Returns the next places to fetch; null if all that is looked at is in memory and current. */
  #findMissing(): Span | null {
    if (this.#isStopped || !this.ready) return null;
    const spans = [this.#looked, this.#reached, { first: 0, last: MIN_ROWS }];
    const found = getOverlapping(this.#chunks, spans);
    const index = found.findIndex(({ chunk }) => chunk.items === null || this.#isOutdated(chunk));
    const span = found[index];
    if (span === undefined) return null;
    const { chunk, first, last } = span;
    if (chunk.items !== null || chunk.at > 0) return { first, last: Math.min(last, first + MAX_PAGE) };
    const { pageRows } = this.#options;
    const seen = spans.find((each) => each.first < Math.min(last, each.last) && each.last > first) ?? NOWHERE;
    const from = Math.max(first, Math.floor(seen.first / pageRows) * pageRows);
    const to = Math.ceil(seen.last / pageRows) * pageRows;
    // The end of the list may be further down than expected.
    const end = last === this.total ? Math.max(to, from + pageRows) : Math.min(to, last);
    return { first: from, last: Math.min(end, from + MAX_PAGE) };
  }

  #isOutdated({ items, at }: Chunk<Row>): boolean {
    const last = items?.at(-1);
    return at === 0 || (last !== undefined && this.#options.isOutdated?.(last, at) === true);
  }

  #renew(before: Row | undefined, after: Row): Row {
    return this.#options.renew?.(before, after) ?? after;
  }

  /** Returns a page whose unchanged rows are the loaded objects. */
  #renewPage(page: ListPage<Row>): ListPage<Row> {
    const known = new Map(this.#chunks.flatMap(({ items }) => (items ?? []).map((row) => [row.id, row] as const)));
    return { ...page, data: page.data.map((row) => this.#renew(known.get(row.id), row)) };
  }

  #notifyMove(): void {
    this.#discard();
    this.#notifyChange();
  }

  /** Discards the response of the running request. */
  #discard(): void {
    this.#age += 1;
    this.#end.abort();
    this.#end = new AbortController();
  }

  #notifyChange(): void {
    this.#version += 1;
    this.#rows = undefined;
    for (const listener of this.#listeners) listener();
  }
}

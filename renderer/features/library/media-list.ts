import type { MediaPage, MediaView } from "../../../gateway/contract/media.ts";
import {
  getAddress,
  changeEach,
  resized,
  unknown,
  wantedChunks,
  withoutFar,
  withPage,
  type Address,
  type Chunk,
  type Chunks,
  type Span,
} from "./media-chunks.ts";
import { getItem, getPlace, measureSize } from "../../lib/list-pieces.ts";
import { keepLink, needsNewLink, RENEW_MS } from "../../components/media/media-links.ts";

/** Results of the first page, and of each page that scrolling asks for. */
export const PAGE = 100;
/** Longer pages the gateway does not give. */
const LONGEST_PAGE = 500;
const NOWHERE: Span = { first: 0, last: 0 };

export interface MediaListDeps {
  /** @param from a cursor, and how many results after it are passed over */
  fetchPage(from: Address, limit: number): Promise<MediaPage>;
  /** Unix milliseconds. */
  now(): number;
}

/**
 * The library as one long list of which only a part is in memory: what is looked at is asked for by its place, counted
 * from the nearest cursor before it, so that results that come in meanwhile move nothing. A far jump is one request.
 * One request at a time; what is no longer looked at is not asked for any more.
 */
export class MediaList {
  readonly #deps: MediaListDeps;
  readonly #listeners = new Set<() => void>();
  #chunks: Chunks = [];
  #version = 0;
  /** Changes when places do: a response to a question from before that is thrown away. */
  #age = 0;
  #held: MediaPage | null = null;
  #doubted = false;
  #error: unknown = null;
  #looked = NOWHERE;
  #reached = NOWHERE;
  #running: Promise<void> | null = null;

  constructor(deps: MediaListDeps) {
    this.#deps = deps;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  /** Changes with every change of the list. */
  readonly version = (): number => this.#version;

  /** Whether the first page is there. */
  get ready(): boolean {
    return this.#chunks.length > 0;
  }
  /** Results in all, as this list counts them. */
  get total(): number {
    return measureSize(this.#chunks);
  }
  /** Number of newer results that wait for `takeHeld`; 0 without any. */
  get newer(): number {
    if (this.#held === null) return 0;
    const top = getItem(this.#chunks, 0)?.id;
    const found = this.#held.data.findIndex(({ id }) => id === top);
    return found === -1 ? Math.max(1, this.#held.total - this.total) : found;
  }
  /** Why the results that are looked at are not there; null while nothing is wrong. */
  get error(): unknown {
    return this.#error;
  }

  at(index: number): MediaView | undefined {
    return getItem(this.#chunks, index);
  }

  /** The place of a result that is in memory; -1 for any other. */
  getIndex(id: string): number {
    return getPlace(this.#chunks, (view) => view.id === id);
  }

  /**
   * The newest results, as they are now. Where that moves what is below them it is done only when `mayMove`, and waits
   * for `takeHeld` otherwise: nothing jumps under the eyes of someone who reads further down.
   */
  takeHead(page: MediaPage, mayMove: boolean): void {
    this.#error = null;
    const same = !this.#doubted && this.#beginsWith(page);
    if (same) {
      const fresh = new Map(page.data.map((view) => [view.id, view]));
      this.#chunks = changeEach(this.#chunks, (view) => this.#renewed(view, fresh.get(view.id) ?? view));
    }
    if (same && page.total === this.total) {
      this.#held = null;
      this.#changed();
      void this.#run();
    } else if (mayMove || this.#doubted || !this.ready) {
      this.#begin(page);
    } else if (!same || !this.#resize(page.total)) {
      this.#held = page;
      this.#changed();
    }
  }

  /** Marks the list as inconsistent: the next first page restarts it. */
  doubt(): void {
    this.#doubted = true;
  }

  takeHeld(): void {
    if (this.#held !== null) this.#begin(this.#held);
  }

  /** Fetches what is not there of the results from `first` up to, and without, `last`. */
  check(first: number, last: number): void {
    this.#looked = { first, last };
    void this.#run();
  }

  /** Returns the result of this number, fetched if it is not loaded; undefined if it does not exist or the fetch fails. */
  async reach(index: number): Promise<MediaView | undefined> {
    if (index < 0 || index >= this.total || this.at(index) !== undefined) return this.at(index);
    const span = { first: index, last: index + 1 };
    this.#reached = span;
    await this.#run();
    const found = this.at(index);
    if (this.#reached === span) this.#reached = NOWHERE;
    return found;
  }

  /** Tries again what failed. */
  retry(): void {
    this.#error = null;
    this.#changed();
    void this.#run();
  }

  /** Another version of a result that is in memory. */
  replace(view: MediaView): void {
    this.#chunks = changeEach(this.#chunks, (before) => (before.id === view.id ? view : before));
    this.#changed();
  }

  /**
   * Removes results immediately.
   * @returns a function that restores them in their places; it returns false if their places are lost
   */
  remove(ids: ReadonlySet<string>): () => boolean {
    const changed = new Map<Chunk, Chunk>();
    this.#chunks = this.#chunks.map((chunk) => {
      const items = chunk.items?.filter(({ id }) => !ids.has(id));
      if (items === undefined || items.length === chunk.size) return chunk;
      const smaller = { ...chunk, items, size: items.length };
      changed.set(smaller, chunk);
      return smaller;
    });
    const removed = [...changed].reduce((sum, [smaller, chunk]) => sum + chunk.size - smaller.size, 0);
    this.#moved();
    return () => {
      if (removed < ids.size || ![...changed.keys()].every((chunk) => this.#chunks.includes(chunk))) return false;
      this.#chunks = this.#chunks.map((chunk) => changed.get(chunk) ?? chunk);
      this.#moved();
      return true;
    };
  }

  /** Whether the list begins with this page, as far as both go. */
  #beginsWith(page: MediaPage): boolean {
    const top = this.#chunks[0]?.items ?? [];
    const length = Math.min(top.length, page.data.length);
    if (!this.ready || (length === 0 && top.length + page.data.length > 0)) return false;
    return page.data.slice(0, length).every(({ id }, index) => id === top[index]?.id);
  }

  /** Further down there are more or fewer now. @returns false when that cannot be shown without moving what is looked at */
  #resize(total: number): boolean {
    const chunks = resized(this.#chunks, total, [this.#looked, this.#reached]);
    if (chunks === null) return false;
    this.#chunks = chunks;
    this.#held = null;
    this.#moved();
    void this.#run();
    return true;
  }

  #begin(page: MediaPage): void {
    const known = new Map(this.#chunks.flatMap(({ items }) => (items ?? []).map((view) => [view.id, view] as const)));
    const items = page.data.map((view) => this.#renewed(known.get(view.id), view));
    this.#held = null;
    this.#doubted = false;
    const top = { size: items.length, items, after: page.cursor, at: this.#deps.now() };
    const further = page.cursor === null ? 0 : Math.max(1, page.total - items.length);
    this.#chunks = further === 0 ? [top] : [top, unknown(further)];
    this.#moved();
    void this.#run();
  }

  #run(): Promise<void> {
    this.#running ??= this.#fetchAll();
    return this.#running;
  }

  async #fetchAll(): Promise<void> {
    // The first step is taken later: `#running` has to be set before it can be unset.
    await Promise.resolve();
    // Nothing is awaited between the last check and the end: a request meanwhile is seen, or starts again.
    for (let next = this.#missing(); next !== null && this.#error === null; next = this.#missing()) {
      const age = this.#age;
      try {
        const page = await this.#deps.fetchPage(getAddress(this.#chunks, next.first), next.last - next.first);
        if (age !== this.#age) continue;
        this.#chunks = withPage(this.#chunks, next, page, this.#deps.now());
        this.#chunks = withoutFar(this.#chunks, [this.#looked, this.#reached]);
      } catch (error) {
        if (age === this.#age) this.#error = error;
      }
      this.#changed();
    }
    this.#running = null;
  }

  /** Returns the next span to fetch: places that are not loaded, or results whose links expire. */
  #missing(): Span | null {
    const wanted = [this.#looked, this.#reached];
    for (const { chunk, first, last } of wantedChunks(this.#chunks, wanted)) {
      if (chunk.items !== null) {
        if (this.#expires(chunk)) return { first, last };
        continue;
      }
      const seen = wanted.filter((span) => span.first < Math.min(last, span.last) && span.last > first)[0] ?? NOWHERE;
      const from = Math.max(first, Math.floor(seen.first / PAGE) * PAGE);
      const to = Math.ceil(seen.last / PAGE) * PAGE;
      // The end of the list may lie further down than one thinks.
      const end = last === this.total ? to : Math.min(to, last);
      return { first: from, last: Math.min(end, from + LONGEST_PAGE) };
    }
    return null;
  }

  #expires({ items, at }: Chunk): boolean {
    const now = this.#deps.now();
    const last = items?.at(-1);
    return last !== undefined && needsNewLink(last, now) && now - at > RENEW_MS;
  }

  #renewed(before: MediaView | undefined, after: MediaView): MediaView {
    return keepLink(before, after, this.#deps.now());
  }

  #moved(): void {
    this.#age += 1;
    this.#changed();
  }

  #changed(): void {
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }
}

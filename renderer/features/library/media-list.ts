import type { MediaPage, MediaView } from "../../../gateway/contract/media.ts";
import {
  changeEach,
  placeOf,
  resultAt,
  walked,
  wantedChunks,
  withoutFar,
  type Chunk,
  type Chunks,
  type Span,
} from "./media-chunks.ts";
import { keepLink, needsNewLink, RENEW_MS } from "./media-links.ts";

/** Results of the first page, and of each page that scrolling asks for. */
export const PAGE = 100;
/** A far jump walks there in pages as long as the gateway gives. */
const LONGEST_PAGE = 500;
const NOWHERE: Span = { first: 0, last: 0 };

export interface MediaListDeps {
  /** @param before the cursor of the page before; undefined for the newest */
  fetchPage(before: string | undefined, limit: number): Promise<MediaPage>;
  /** Unix milliseconds. */
  now(): number;
}

/**
 * The library as one long list of which only a part is in memory. The gateway pages by cursors, so the way to result
 * number n leads over the pages before it; their cursors are kept, their results are forgotten again.
 * One request at a time; what is no longer looked at is not asked for any more.
 */
export class MediaList {
  readonly #deps: MediaListDeps;
  readonly #listeners = new Set<() => void>();
  #chunks: Chunks = [];
  #total = 0;
  #version = 0;
  /** Counts new beginnings: an answer to a question of an earlier one is thrown away. */
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
    return this.#total;
  }
  /** Newer results that wait for `takeHeld`; 0 when there are none. */
  get newer(): number {
    if (this.#held === null) return 0;
    const top = resultAt(this.#chunks, 0)?.id;
    const found = this.#held.data.findIndex(({ id }) => id === top);
    return found === -1 ? Math.max(1, this.#held.total - this.#total) : found;
  }
  /** Why the results that are looked at are not there; null while nothing is wrong. */
  get error(): unknown {
    return this.#error;
  }

  at(index: number): MediaView | undefined {
    return resultAt(this.#chunks, index);
  }

  /** The place of a result that is in memory; -1 for any other. */
  indexOf(id: string): number {
    return placeOf(this.#chunks, id);
  }

  /**
   * The newest results, as they are now. Where that moves what is below them it is done only when `mayMove`, and waits
   * for `takeHeld` otherwise: nothing jumps under the eyes of somebody who reads further down.
   */
  takeHead(page: MediaPage, mayMove: boolean): void {
    this.#error = null;
    if (!this.#doubted && this.#continues(page)) {
      this.#held = null;
      this.#total = page.total;
      const fresh = new Map(page.data.map((view) => [view.id, view]));
      this.#chunks = changeEach(this.#chunks, (view) => this.#renewed(view, fresh.get(view.id) ?? view));
      this.#changed();
      void this.#run();
    } else if (mayMove || this.#doubted || !this.ready) {
      this.#begin(page);
    } else {
      this.#held = page;
      this.#changed();
    }
  }

  /** What is held is known to be wrong somewhere: the next first page begins the list anew. */
  doubt(): void {
    this.#doubted = true;
  }

  takeHeld(): void {
    if (this.#held !== null) this.#begin(this.#held);
  }

  /** Fetches what is not there of the results from `first` up to, and without, `last`. */
  look(first: number, last: number): void {
    this.#looked = { first, last };
    void this.#run();
  }

  /** The result of this number, fetched where it is not there; undefined where there is none or it cannot be had. */
  async reach(index: number): Promise<MediaView | undefined> {
    if (index < 0 || index >= this.#total || this.at(index) !== undefined) return this.at(index);
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
   * Takes results out at once.
   * @returns what puts them back where they were; false when it could not, because their places are forgotten
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
    this.#total -= removed;
    this.#changed();
    return () => {
      if (removed < ids.size || ![...changed.keys()].every((chunk) => this.#chunks.includes(chunk))) return false;
      this.#chunks = this.#chunks.map((chunk) => changed.get(chunk) ?? chunk);
      this.#total += removed;
      this.#changed();
      return true;
    };
  }

  /** Whether a first page begins with what is there, and its total can be true of what was walked over. */
  #continues(page: MediaPage): boolean {
    const top = this.#chunks[0]?.items ?? [];
    const length = Math.min(top.length, page.data.length);
    if (!this.ready || (length === 0 && top.length + page.data.length > 0)) return false;
    if (page.data.slice(0, length).some(({ id }, index) => id !== top[index]?.id)) return false;
    const known = walked(this.#chunks);
    return this.#end() === null ? known === page.total : known < page.total;
  }

  #begin(page: MediaPage): void {
    const known = new Map(this.#chunks.flatMap(({ items }) => (items ?? []).map((view) => [view.id, view] as const)));
    const data = page.data.map((view) => this.#renewed(known.get(view.id), view));
    this.#age += 1;
    this.#held = null;
    this.#doubted = false;
    this.#total = page.total;
    this.#chunks = [];
    this.#append(null, { ...page, data });
    this.#changed();
    void this.#run();
  }

  #run(): Promise<void> {
    this.#running ??= this.#fetchAll();
    return this.#running;
  }

  async #fetchAll(): Promise<void> {
    // The first step is taken later: `#running` has to be set before it can be unset.
    await Promise.resolve();
    // Nothing is awaited between the last look and the end: whoever asks meanwhile is seen, or starts anew.
    for (let next = this.#missing(); next !== null && this.#error === null; next = this.#missing()) {
      const age = this.#age;
      const { old, before, limit } = next;
      try {
        const page = await this.#deps.fetchPage(before ?? undefined, limit);
        if (age !== this.#age) continue;
        if (old === null) this.#append(before, page);
        else this.#refill(old, page);
        this.#chunks = withoutFar(this.#chunks, [this.#looked, this.#reached]);
      } catch (error) {
        if (age === this.#age) this.#error = error;
      }
      this.#changed();
    }
    this.#running = null;
  }

  /** What to ask for next: a chunk that was forgotten or whose links expire, or the page behind the last one. */
  #missing(): { readonly old: Chunk | null; readonly before: string | null; readonly limit: number } | null {
    const now = this.#deps.now();
    for (const chunk of wantedChunks(this.#chunks, [this.#looked, this.#reached])) {
      const last = chunk.items?.at(-1);
      const old = last === undefined || (needsNewLink(last, now) && now - chunk.at > RENEW_MS);
      if (old && chunk.size > 0) return { old: chunk, before: chunk.before, limit: chunk.size };
    }
    const end = this.#end();
    const known = walked(this.#chunks);
    const farthest = Math.min(Math.max(this.#looked.last, this.#reached.last), this.#total);
    if (end === null || farthest <= known) return null;
    return { old: null, before: end, limit: Math.min(LONGEST_PAGE, Math.max(PAGE, farthest - known)) };
  }

  #append(before: string | null, page: MediaPage): void {
    // A page without results cannot be followed by one that has some.
    const after = page.data.length === 0 ? null : page.cursor;
    const { data } = page;
    this.#chunks = [...this.#chunks, { before, after, size: data.length, items: data, at: this.#deps.now() }];
    const known = walked(this.#chunks);
    this.#total = after === null ? known : Math.max(this.#total, known + 1);
  }

  /** Where a chunk ends elsewhere than before, somebody changed the list: what follows is walked over again. */
  #refill(old: Chunk, { data, cursor }: MediaPage): void {
    const place = this.#chunks.indexOf(old);
    if (place === -1) return;
    const chunk = { ...old, items: data, size: data.length, after: cursor, at: this.#deps.now() };
    const fits = old.after === cursor && old.size === data.length;
    this.#chunks = [...this.#chunks.slice(0, place), chunk, ...(fits ? this.#chunks.slice(place + 1) : [])];
    const known = walked(this.#chunks);
    this.#total = this.#end() === null ? known : Math.max(this.#total, known + 1);
  }

  #end(): string | null {
    return this.#chunks.at(-1)?.after ?? null;
  }

  #renewed(before: MediaView | undefined, after: MediaView): MediaView {
    return keepLink(before, after, this.#deps.now());
  }

  #changed(): void {
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }
}

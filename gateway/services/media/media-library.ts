import type { Settings } from "../../contract/control.ts";
import type { DeletedMedia, ListMedia, MediaPage, MediaView } from "../../contract/media.ts";
import { GatewayError } from "../../core/errors.ts";
import type { MediaLimits } from "../../core/media/media-retention.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Later } from "../../lib/later.ts";
import type { Log } from "../../lib/log.ts";
import { within } from "../../lib/within.ts";
import { MediaRefused } from "../../store/media/media-incoming.ts";
import type { MediaStore } from "../../store/media/media-store.ts";
import type { Downloader } from "../../upstream/download.ts";
import type { Connection } from "../connections/connection.ts";
import type { Events } from "../events.ts";
import type { ClockWatch } from "../clock-watch.ts";
import type { Notices } from "../notices.ts";
import { EnterMedia } from "./enter-media.ts";
import { FetchMedia } from "./fetch-media.ts";
import type { KeepMedia, MediaOrigin } from "./keep-media.ts";
import { MediaExport } from "./media-export.ts";
import type { MediaArchive } from "./media-export.ts";
import { MediaFetches } from "./media-fetches.ts";
import { MediaLinks } from "./media-links.ts";
import { posterBytes } from "./media-poster.ts";
import { MediaRemovals } from "./media-removals.ts";
import { MediaRetention } from "./media-retention.ts";
import { MediaSaver } from "./media-saver.ts";
import { MediaTroubles } from "./media-troubles.ts";
import { viewOf } from "./media-view.ts";
import { OpenedLibrary } from "./opened-library.ts";
import { ServeMedia, notThere } from "./serve-media.ts";
import type { OpenMedia } from "./serve-media.ts";
import { LOW_WATER_BYTES } from "../../store/media/media-files.ts";

/** The disk is asked no more often than this: a burst of requests costs one question. */
const FRESH_MS = 5_000;

/** Whether results that are yet to be paid for could be saved (reliability M7). */
class DiskRoom {
  readonly #clock: Clock;
  readonly #freeBytes: () => Promise<number>;
  #known: { readonly free: Promise<number>; readonly at: number } | null = null;

  /** @param freeBytes of the disk with the data folder; infinite where nobody can tell */
  constructor(clock: Clock, freeBytes: () => Promise<number>) {
    this.#clock = clock;
    this.#freeBytes = freeBytes;
  }

  /** @throws GatewayError storage_unavailable */
  async require(): Promise<void> {
    const now = this.#clock.monotonic();
    if (this.#known === null || now - this.#known.at >= FRESH_MS) {
      this.#known = { free: this.#freeBytes().catch(() => Number.POSITIVE_INFINITY), at: now };
    }
    const free = await this.#known.free;
    if (free >= LOW_WATER_BYTES) return;
    throw new GatewayError(
      "storage_unavailable",
      `Only ${mib(free)} MiB are free on the disk of the data folder, and ${mib(LOW_WATER_BYTES)} MiB must stay free, so ` +
        "that what this would make could not be saved. No provider was asked. Make room on that disk, or let the media " +
        "library remove its oldest results, and try again.",
    );
  }
}

const mib = (bytes: number): number => Math.floor(bytes / 1024 ** 2);

/** A stop waits so long for what is being written. */
const STOP_MS = 5_000;
const PAGE = 50;
const GIB = 1024 ** 3;

export interface MediaLibraryDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly clockWatch: Pick<ClockWatch, "doubtful">;
  readonly notices: Pick<Notices, "add">;
  readonly events: Events;
  readonly settings: { view(): Pick<Settings, "media_keep_days" | "media_max_gib"> };
  readonly downloader: Downloader;
  /** Of the disk with the data folder; infinite where nobody can tell. */
  readonly freeBytes: () => Promise<number>;
  /** Opens the library of the data folder. */
  readonly open: () => Promise<MediaStore>;
  /** Tests hold time in their hands by this. */
  readonly later: Later;
}

/** Everything that the gateway's models have made: saved, listed, served, removed. */
export class MediaLibrary {
  readonly #deps: MediaLibraryDeps;
  readonly #opened: OpenedLibrary;
  readonly #saver: MediaSaver;
  readonly #fetches: MediaFetches;
  readonly #removals: MediaRemovals;
  readonly #retention: MediaRetention;
  readonly #exports: MediaExport;
  readonly #serving: ServeMedia;
  readonly #room: DiskRoom;
  readonly #unsubscribe: () => void;

  constructor(deps: MediaLibraryDeps) {
    const { clock, later, log, events, notices } = deps;
    const store = (): Promise<MediaStore> => this.#opened.store();
    const changed = (): void => events.emit({ type: "media.changed" });
    this.#deps = deps;
    const troubles = new MediaTroubles(deps);
    const entries = new EnterMedia({ troubles, changed });
    const fetch = new FetchMedia(deps.downloader);
    this.#fetches = new MediaFetches({ clock, later, store, fetch, entries });
    this.#saver = new MediaSaver({ clock, store, entries, fetches: this.#fetches });
    this.#removals = new MediaRemovals({ clock, later, log, store, changed });
    this.#retention = new MediaRetention({
      clock,
      clockWatch: deps.clockWatch,
      later,
      log,
      notices,
      store,
      changed,
      limits: () => this.#limits(),
      remove: (from) => this.#removals.plan(from),
    });
    this.#exports = new MediaExport(clock, store);
    this.#serving = new ServeMedia(clock, store);
    this.#room = new DiskRoom(clock, deps.freeBytes);
    this.#opened = new OpenedLibrary({
      notices,
      troubles,
      open: deps.open,
      onOpen: (opened) => {
        this.#fetches.resume(opened.pending);
        this.#removals.plan(opened);
      },
    });
    this.#unsubscribe = events.on("settings.changed", () => this.#retention.soon());
  }

  /** Hands a result to the library. Never throws: what cannot be saved becomes a notice. */
  get keep(): KeepMedia {
    return this.#saver.keep;
  }

  /** Opens the library in the background and goes on with what an earlier run was fetching and removing. */
  start(): void {
    this.#opened.store().catch(() => undefined);
    this.#retention.start();
  }

  /** After the machine slept: what has become due is done now. */
  check(): void {
    this.#fetches.check();
    this.#removals.check();
    this.#retention.check();
  }

  /**
   * Asked before a provider makes something for money.
   * @throws GatewayError storage_unavailable when the disk has too little room to save it
   */
  requireRoom(): Promise<void> {
    return this.#room.require();
  }

  /**
   * Saves the result at an address under an id that the caller chose (`newId("media")`). It is noted durably before it
   * is fetched, and tried until the address expires. Asked again for the same id, it joins the running one, or answers
   * at once when it is there.
   * @returns true when it is in the library; false when it was given up
   * @throws GatewayError shutting_down, and nothing else, when Postern stops before that: the next start goes on
   */
  fetchAs(id: string, url: string, connection: Connection, origin: MediaOrigin): Promise<boolean> {
    return this.#saver.fetchAs(id, url, connection, origin);
  }

  /**
   * The same for bytes that the caller has.
   * @returns false when they are nothing that the library keeps
   * @throws MediaRefused of the kinds `room` and `disk`: try again later; what `chunks` throws
   */
  saveAs(id: string, chunks: AsyncIterable<Uint8Array>, origin: MediaOrigin): Promise<boolean> {
    return this.#saver.saveAs(id, chunks, origin);
  }

  async has(id: string): Promise<boolean> {
    return (await this.#opened.store()).find(id) !== undefined;
  }

  /** A fresh signed link: path and query, and until when it works (Unix ms); null when there is no such result. */
  async linkTo(id: string): Promise<{ link: string; expiresAt: number } | null> {
    const store = await this.#opened.store();
    return store.find(id) === undefined ? null : this.#links(store).sign(id);
  }

  async view(id: string): Promise<MediaView | null> {
    const store = await this.#opened.store();
    const row = store.find(id);
    const listed = row === undefined ? null : await store.read(row);
    return listed === null ? null : viewOf(listed, store, this.#links(store));
  }

  /** `getMedia`. @throws GatewayError not_found */
  async get(id: string): Promise<MediaView> {
    const view = await this.view(id);
    if (view === null) throw notThere(id);
    return view;
  }

  /** `listMedia`: newest first, each with a fresh link. @throws GatewayError */
  async list(query: ListMedia): Promise<MediaPage> {
    const store = await this.#opened.store();
    const { limit = PAGE, before, min_nano: minNano, ...filter } = query;
    const { data, next, total } = await store.list({
      ...filter,
      limit,
      before: before === undefined ? null : cursorOf(before),
      minNano,
    });
    const links = this.#links(store);
    return {
      data: data.map((listed) => viewOf(listed, store, links)),
      cursor: next === null ? null : String(next),
      pending: store.pending.length,
      total,
    };
  }

  /** `deleteMedia`: out of every list at once; their files go in ten minutes. @throws StoreWriteError */
  delete(ids: readonly string[]): Promise<DeletedMedia> {
    return this.#removals.delete(ids);
  }

  /** `restoreMedia`. @throws StoreWriteError */
  restore(ids: readonly string[]): Promise<{ restored: string[] }> {
    return this.#removals.restore(ids);
  }

  /** `exportMedia`: a link that works once, for ten minutes. @throws GatewayError not_found */
  export(ids: readonly string[]): Promise<{ link: string }> {
    return this.#exports.offer(ids);
  }

  /** Takes an export's link. @throws GatewayError invalid_media_link, media_link_expired */
  openExport(token: string): Promise<MediaArchive> {
    return this.#exports.open(token);
  }

  /** `setPoster`. @param image base64 of a JPEG or WebP @throws GatewayError not_found, invalid_value, storage_unavailable */
  async setPoster(id: string, image: string): Promise<void> {
    const store = await this.#opened.store();
    const row = store.find(id);
    if (row === undefined) throw notThere(id);
    if (row.kind !== "video") {
      throw new GatewayError("invalid_value", `${id} is no video; only videos have a poster.`, { param: "id" });
    }
    const bytes = posterBytes(image);
    try {
      if (!(await store.setPoster(id, bytes))) throw notThere(id);
    } catch (error) {
      if (!(error instanceof MediaRefused)) throw error;
      throw new GatewayError("storage_unavailable", `The poster was not saved: ${error.message}`, { cause: error });
    }
    this.#deps.events.emit({ type: "media.changed" });
  }

  /** Whether a link is signed by us for this path below `/media/`, and still works. @throws GatewayError */
  checkLink(path: string, expires: string, signature: string): Promise<void> {
    return this.#serving.checkLink(path, expires, signature);
  }

  /** Opens a result for reading. @throws GatewayError not_found, with a mark in the list when its file is gone */
  open(id: string): Promise<OpenMedia> {
    return this.#serving.open(id);
  }

  /** Opens the still of a video. @throws GatewayError not_found */
  openPoster(id: string): Promise<OpenMedia> {
    return this.#serving.openPoster(id);
  }

  /** Waits up to 5 s for what is being saved. What is being fetched is fetched again by the next start. */
  async close(): Promise<void> {
    this.#unsubscribe();
    const ends = [this.#saver, this.#fetches, this.#removals, this.#retention].map((part) => part.stop());
    await within(Promise.all(ends), STOP_MS);
    await this.#opened.close();
  }

  #links(store: MediaStore): MediaLinks {
    return new MediaLinks(store.linkSecret, this.#deps.clock);
  }

  #limits(): MediaLimits {
    const { media_keep_days: keepDays, media_max_gib: maxGib } = this.#deps.settings.view();
    return { keepDays, maxBytes: maxGib === null ? null : maxGib * GIB };
  }
}

/** @throws GatewayError invalid_value */
function cursorOf(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new GatewayError("invalid_value", "before must be the cursor of an earlier page.", { param: "before" });
}

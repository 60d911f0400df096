import type { DeletedMedia, ListMedia, MediaPage, MediaView } from "../../contract/media.ts";
import { within } from "../../lib/within.ts";
import type { MediaStore } from "../../store/media/media-store.ts";
import type { Downloader } from "../../upstream/download.ts";
import type { Connection } from "../connections/connection.ts";
import type { Events } from "../events.ts";
import { EnterMedia, MediaTroubles } from "./enter-media.ts";
import { FetchMedia, MediaFetches } from "./media-fetches.ts";
import type { KeepMedia, MediaOrigin } from "./keep-media.ts";
import { DiskRoom } from "./disk-room.ts";
import { MediaCatalog } from "./media-catalog.ts";
import { MediaExport } from "./media-export.ts";
import type { MediaArchive } from "./media-export.ts";
import { MediaRemovals } from "./media-removals.ts";
import { MediaRetention } from "./media-retention.ts";
import type { MediaRetentionDeps } from "./media-retention.ts";
import { MediaSaver } from "./media-saver.ts";
import { OpenedLibrary } from "./opened-library.ts";
import { ServeMedia } from "./serve-media.ts";
import type { MediaFile, OpenMedia } from "./serve-media.ts";

/** Max milliseconds that a shutdown waits for writes. */
const STOP_MS = 5_000;

export interface MediaLibraryDeps extends Omit<MediaRetentionDeps, "store" | "remove" | "changed"> {
  readonly events: Events;
  readonly downloader: Downloader;
  /** Returns the free bytes of the data folder's disk; infinite if unknown. */
  readonly freeBytes: () => Promise<number>;
  /** Opens the library of the data folder. */
  readonly open: () => Promise<MediaStore>;
}

/** Everything that the gateway's models have made: saved, listed, served, removed. */
export class MediaLibrary {
  readonly #opened: OpenedLibrary;
  readonly #saver: MediaSaver;
  readonly #fetches: MediaFetches;
  readonly #removals: MediaRemovals;
  readonly #retention: MediaRetention;
  readonly #exports: MediaExport;
  readonly #serving: ServeMedia;
  readonly #room: DiskRoom;
  readonly #catalog: MediaCatalog;
  readonly #unsubscribe: () => void;

  constructor(deps: MediaLibraryDeps) {
    const { clock, later, log, events, notices } = deps;
    const store = (): Promise<MediaStore> => this.#opened.store();
    const changed = (): void => events.emit({ type: "media.changed" });
    const troubles = new MediaTroubles(deps);
    const entries = new EnterMedia({ troubles, changed });
    const fetch = new FetchMedia(deps.downloader);
    this.#fetches = new MediaFetches({ clock, later, store, fetch, entries });
    this.#saver = new MediaSaver({ clock, store, entries, fetches: this.#fetches });
    this.#removals = new MediaRemovals({ clock, later, log, store, changed });
    this.#retention = new MediaRetention({ ...deps, store, changed, remove: (from) => this.#removals.plan(from) });
    this.#exports = new MediaExport(clock, store);
    this.#serving = new ServeMedia(clock, store);
    this.#catalog = new MediaCatalog({ clock, store, changed });
    this.#room = new DiskRoom(clock, deps.freeBytes);
    this.#opened = new OpenedLibrary({
      notices,
      troubles,
      changed,
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

  /** Called after the machine slept: overdue work is done now. */
  check(): void {
    this.#fetches.check();
    this.#removals.check();
    this.#retention.check();
  }

  /**
   * Called before a paid generation.
   * @throws GatewayError storage_unavailable if the disk has too little space to save the result
   */
  requireRoom(): Promise<void> {
    return this.#room.require();
  }

  /**
   * Saves the result at a URL under an id chosen by the caller (`newId("media")`). It is logged durably before the
   * download, and retried until the URL expires. A second call with the same id joins the running download, or returns
   * immediately if it is saved.
   * @returns true once it is in the library; false if it was given up
   * @throws GatewayError shutting_down, and nothing else, if Postern stops first: the next start continues
   */
  fetchAs(id: string, url: string, connection: Connection, origin: MediaOrigin): Promise<boolean> {
    return this.#saver.fetchAs(id, url, connection, origin);
  }

  /**
   * Saves the caller's bytes in the same way.
   * @returns false if the library does not keep their type
   * @throws MediaRefused of the kinds `room` and `disk`: try again later; what `chunks` throws
   */
  saveAs(id: string, chunks: AsyncIterable<Uint8Array>, origin: MediaOrigin): Promise<boolean> {
    return this.#saver.saveAs(id, chunks, origin);
  }

  async has(id: string): Promise<boolean> {
    return (await (await this.#opened.store()).find(id)) !== null;
  }

  /** Returns a new signed link (path and query) and its expiry (Unix ms); null if there is no such result. */
  linkTo(id: string): Promise<{ link: string; expiresAt: number } | null> {
    return this.#catalog.linkTo(id);
  }

  /** Returns a result with a new link; null if it does not exist. */
  view(id: string): Promise<MediaView | null> {
    return this.#catalog.view(id);
  }

  /** `getMedia`. @throws GatewayError not_found */
  get(id: string): Promise<MediaView> {
    return this.#catalog.get(id);
  }

  /** `listMedia`: newest first, each with a fresh link. @throws GatewayError */
  list(query: ListMedia): Promise<MediaPage> {
    return this.#catalog.list(query);
  }

  /** `setPoster`. @param image base64 of a JPEG or WebP @throws GatewayError not_found, invalid_value, storage_unavailable */
  setPoster(id: string, image: string): Promise<void> {
    return this.#catalog.setPoster(id, image);
  }

  /** `deleteMedia`: removes results from every list immediately, and their files in ten minutes. @throws StoreWriteError */
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

  /** Whether a link is signed by us for this path below `/media/`, and still works. @throws GatewayError */
  checkLink(path: string, expires: string, signature: string): Promise<void> {
    return this.#serving.checkLink(path, expires, signature);
  }

  /** Opens a result for reading. @throws GatewayError not_found, also if its file is missing */
  open(id: string): Promise<OpenMedia> {
    return this.#serving.open(id);
  }

  /** Returns the files of these results, for handing them to other programs of the user. */
  files(ids: readonly string[]): Promise<readonly MediaFile[]> {
    return this.#serving.files(ids);
  }

  /** Opens the still of a video. @throws GatewayError not_found */
  openPoster(id: string): Promise<OpenMedia> {
    return this.#serving.openPoster(id);
  }

  /** Waits up to 5 s for running saves. Unfinished downloads are repeated at the next start. */
  async close(): Promise<void> {
    this.#unsubscribe();
    const ends = [this.#saver, this.#fetches, this.#removals, this.#retention].map((part) => part.stop());
    await within(Promise.all(ends), STOP_MS);
    await this.#opened.close();
  }
}

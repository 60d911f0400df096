import type { MediaPage, MediaView } from "../../contract/media.ts";
import { GatewayError } from "../../core/errors.ts";
import { mediaTypeByExtension } from "../../core/media-type.ts";
import type { MediaKind, MediaType } from "../../core/media-type.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { within } from "../../lib/within.ts";
import type { MediaRow } from "../../store/media-index.ts";
import type { ListedMedia, MediaStore } from "../../store/media-store.ts";
import type { StoreFile } from "../../store/store-fs.ts";
import type { Downloader } from "../../upstream/download.ts";
import type { Notices } from "../notices.ts";
import { FetchMedia } from "./fetch-media.ts";
import type { KeepMedia } from "./keep-media.ts";
import type { Later } from "../../lib/later.ts";
import { MediaLinks } from "./media-links.ts";
import { MediaSaver } from "./media-saver.ts";
import { MediaTroubles } from "./media-troubles.ts";

/** A stop waits so long for what is being written. */
const STOP_MS = 5_000;

export interface MediaListing {
  readonly limit: number;
  /** The `cursor` of the previous page. */
  readonly before?: string | undefined;
  readonly kind?: MediaKind | undefined;
  readonly model?: string | undefined;
}

export interface MediaLibraryDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly notices: Pick<Notices, "add">;
  readonly downloader: Downloader;
  /** Opens the library of the data folder. */
  readonly open: () => Promise<MediaStore>;
  /** Tests hold time in their hands by this. */
  readonly later: Later;
}

/** A result's file, open. Whoever gets it closes it. */
export interface OpenMedia {
  readonly row: MediaRow;
  readonly type: MediaType;
  readonly file: StoreFile;
}

/** Everything that the gateway's models have made: saved, listed, served. */
export class MediaLibrary {
  readonly #deps: MediaLibraryDeps;
  readonly #saver: MediaSaver;
  readonly #troubles: MediaTroubles;
  #opened: Promise<MediaStore> | null = null;

  constructor(deps: MediaLibraryDeps) {
    this.#deps = deps;
    this.#troubles = new MediaTroubles(deps);
    this.#saver = new MediaSaver({
      clock: deps.clock,
      later: deps.later,
      store: () => this.#store(),
      fetch: new FetchMedia(deps.downloader),
      troubles: this.#troubles,
    });
  }

  /** Hands a result to the library. Returns at once and never throws: what cannot be saved becomes a notice. */
  get keep(): KeepMedia {
    return this.#saver.keep;
  }

  /** Opens the library in the background and goes on with what an earlier run was fetching. */
  start(): void {
    this.#store().catch(() => undefined);
  }

  /** Newest first, each with a fresh link. */
  async list(query: MediaListing): Promise<MediaPage> {
    const store = await this.#store();
    const { limit, before, kind, model } = query;
    const { data, next } = await store.list({
      limit,
      before: before === undefined ? null : cursorOf(before),
      ...(kind === undefined ? {} : { kind }),
      ...(model === undefined ? {} : { model }),
    });
    const links = new MediaLinks(store.linkSecret, this.#deps.clock);
    return {
      data: data.map((listed) => viewOf(listed, links)),
      cursor: next === null ? null : String(next),
      pending: store.pending.length,
    };
  }

  /** @throws GatewayError not_found */
  async get(id: string): Promise<MediaView> {
    const store = await this.#store();
    const row = store.find(id);
    const listed = row === undefined ? null : await store.read(row);
    if (listed === null) throw notThere(id);
    return viewOf(listed, new MediaLinks(store.linkSecret, this.#deps.clock));
  }

  /** Whether a link's signature is ours and its time has not passed. @throws GatewayError */
  async checkLink(id: string, expires: string, signature: string): Promise<void> {
    const store = await this.#store();
    new MediaLinks(store.linkSecret, this.#deps.clock).check(id, expires, signature);
  }

  /** Opens a result for reading. @throws GatewayError not_found, with a mark in the list when its file is gone */
  async open(id: string): Promise<OpenMedia> {
    const store = await this.#store();
    const row = store.find(id);
    const type = row === undefined ? null : mediaTypeByExtension(row.extension);
    if (row === undefined || type === null) throw notThere(id);
    const file = await store.open(row);
    if (file !== null) return { row, type, file };
    throw new GatewayError(
      "not_found",
      `The file of ${id} is not in the data folder any more; what is known about it still is.`,
    );
  }

  /** Waits up to 5 s for what is being saved. What is being fetched is fetched again by the next start. */
  async close(): Promise<void> {
    await within(this.#saver.stop(), STOP_MS);
    await this.#opened?.then((store) => store.close()).catch(() => undefined);
  }

  /** @throws GatewayError storage_unavailable when the disk does not let it be opened; the next call tries again */
  #store(): Promise<MediaStore> {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  async #open(): Promise<MediaStore> {
    try {
      const store = await this.#deps.open();
      for (const problem of store.problems) this.#deps.notices.add("warning", problem);
      this.#saver.resume(store.pending);
      return store;
    } catch (error) {
      this.#opened = null;
      const why = error instanceof Error ? error.message : String(error);
      const sentence = `The media library cannot be opened: ${why}.`;
      this.#troubles.tell("open", sentence);
      throw new GatewayError("storage_unavailable", sentence, { cause: error });
    }
  }
}

function viewOf({ entry, available }: ListedMedia, links: MediaLinks): MediaView {
  const { link, expiresAt } = links.sign(entry.id);
  return { ...entry, available, link, link_expires_at: expiresAt };
}

/** @throws GatewayError invalid_value */
function cursorOf(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new GatewayError("invalid_value", "before must be the cursor of an earlier page.", { param: "before" });
}

const notThere = (id: string): GatewayError =>
  new GatewayError("not_found", `There is no ${id.slice(0, 100)} in the media library.`);

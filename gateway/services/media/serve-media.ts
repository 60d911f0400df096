import { GatewayError } from "../../core/errors.ts";
import { mediaTypeByExtension } from "../../core/media/media-type.ts";
import type { MediaType } from "../../core/media/media-type.ts";
import { utcDay } from "../../lib/clock.ts";
import type { Clock } from "../../lib/clock.ts";
import type { MediaRow } from "../../store/media/media-row.ts";
import type { MediaStore } from "../../store/media/media-store.ts";
import type { StoreFile } from "../../store/disk/store-fs.ts";
import { MediaLinks, posterPath } from "./media-links.ts";

/** An open file of the library. Its receiver closes it. */
export interface OpenMedia {
  readonly file: StoreFile;
  readonly type: MediaType;
  readonly bytes: number;
  readonly sha256: string;
  /** Ours, for saving it. */
  readonly name: string;
}

/** Files of a result on this machine. */
export interface MediaFile {
  /** Absolute. */
  readonly path: string;
  /** Ours, for a copy of it. */
  readonly name: string;
  /** Path of a still: the picture itself, or the still of a video; null if there is no still. */
  readonly still: string | null;
}

/** Opens results and their stills for clients with a link. */
export class ServeMedia {
  readonly #clock: Clock;
  readonly #store: () => Promise<MediaStore>;

  constructor(clock: Clock, store: () => Promise<MediaStore>) {
    this.#clock = clock;
    this.#store = store;
  }

  /**
   * Whether a link's signature is ours and its time has not passed.
   * @param path below `/media/`
   * @throws GatewayError invalid_media_link, media_link_expired
   */
  async checkLink(path: string, expires: string, signature: string): Promise<void> {
    const { linkSecret } = await this.#store();
    new MediaLinks(linkSecret, this.#clock).check(path, expires, signature);
  }

  /** @throws GatewayError not_found, with a mark in the list when its file is gone */
  async open(id: string): Promise<OpenMedia> {
    const store = await this.#store();
    const row = store.find(id);
    const type = row === undefined ? null : mediaTypeByExtension(row.extension);
    if (row === undefined || type === null) throw notThere(id);
    const { bytes, sha256, extension } = row;
    const file = await store.open(row);
    if (file !== null) return { file, type, bytes, sha256, name: `${nameOf(row)}.${extension}` };
    throw new GatewayError(
      "not_found",
      `The file of ${id} is not in the data folder any more; what is known about it still is.`,
    );
  }

  /** Returns the files of these results, without those that the library does not have. Files may be missing. */
  async files(ids: readonly string[]): Promise<readonly MediaFile[]> {
    const store = await this.#store();
    return ids.flatMap((id) => {
      const row = store.find(id);
      if (row === undefined) return [];
      const path = store.files.pathOf(row.sha256, row.extension);
      const poster = row.poster === null ? null : store.files.pathOf(row.poster.sha256, row.poster.extension);
      return [{ path, name: `${nameOf(row)}.${row.extension}`, still: row.kind === "image" ? path : poster }];
    });
  }

  /** The still of a video. @throws GatewayError not_found */
  async openPoster(id: string): Promise<OpenMedia> {
    const store = await this.#store();
    const row = store.find(id);
    if (row === undefined || row.poster === null) throw notThere(posterPath(id));
    const { bytes, sha256, extension } = row.poster;
    const type = mediaTypeByExtension(extension);
    const file = await store.files.open(sha256, extension, bytes);
    if (type === null || file === null) throw notThere(posterPath(id));
    return { file, type, bytes, sha256, name: `${nameOf(row)}-poster.${extension}` };
  }
}

export const notThere = (id: string): GatewayError =>
  new GatewayError("not_found", `There is no ${id.slice(0, 100)} in the media library.`);

const nameOf = ({ id, at }: MediaRow): string => `postern-${utcDay(at)}-${id.slice(-8)}`;

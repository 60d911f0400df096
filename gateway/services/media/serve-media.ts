import { GatewayError } from "../../core/errors.ts";
import { mediaTypeByExtension } from "../../core/media/media-type.ts";
import type { MediaType } from "../../core/media/media-type.ts";
import { utcDay } from "../../lib/clock.ts";
import type { Clock } from "../../lib/clock.ts";
import type { MediaStore } from "../../store/media/media-store.ts";
import type { Sidecar } from "../../store/media/sidecar.ts";
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
  /** Path of the preview image: the picture itself, or a frame of a video; null if none exists. */
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
   * Checks that a link's signature is valid and that it has not expired.
   * @param path below `/media/`
   * @throws GatewayError invalid_media_link, media_link_expired
   */
  async checkLink(path: string, expires: string, signature: string): Promise<void> {
    const { linkSecret } = await this.#store();
    new MediaLinks(linkSecret, this.#clock).check(path, expires, signature);
  }

  /** @throws GatewayError not_found, also if its file is missing */
  async open(id: string): Promise<OpenMedia> {
    const store = await this.#store();
    const found = await store.find(id);
    const type = found === null ? null : mediaTypeByExtension(found.extension);
    if (found === null || type === null) throw notThere(id);
    const { bytes, sha256 } = found.entry;
    const file = await store.files.open(found);
    if (file !== null) return { file, type, bytes, sha256, name: `${buildName(found)}.${found.extension}` };
    throw new GatewayError(
      "not_found",
      `The file of ${id} is not in the data folder any more; what is known about it still is.`,
    );
  }

  /** Returns the files of these results, without those that the library does not have. Files may be missing. */
  async files(ids: readonly string[]): Promise<readonly MediaFile[]> {
    const store = await this.#store();
    const files: MediaFile[] = [];
    for (const id of ids) {
      const found = await store.find(id);
      if (found === null) continue;
      const { path, poster, entry, extension } = await store.read(found);
      const still = entry.kind === "image" ? path : (poster?.path ?? null);
      files.push({ path, name: `${buildName(found)}.${extension}`, still });
    }
    return files;
  }

  /** Opens the preview image of a video. @throws GatewayError not_found */
  async openPoster(id: string): Promise<OpenMedia> {
    const store = await this.#store();
    const found = await store.find(id);
    const poster = found === null ? null : await store.files.findPoster(id);
    const type = poster === null ? null : mediaTypeByExtension(poster.extension);
    const file = poster === null ? null : await store.files.openPoster(poster);
    if (found === null || poster === null || type === null || file === null) throw notThere(posterPath(id));
    try {
      const { bytes, sha256 } = await store.files.measure(poster);
      return { file, type, bytes, sha256, name: `${buildName(found)}-poster.${poster.extension}` };
    } catch (error) {
      await file.close();
      throw error;
    }
  }
}

export const notThere = (id: string): GatewayError =>
  new GatewayError("not_found", `There is no ${id.slice(0, 100)} in the media library.`);

const buildName = ({ entry: { id, at } }: Sidecar): string => `postern-${utcDay(at)}-${id.slice(-8)}`;

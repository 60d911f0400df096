import { createHash } from "node:crypto";
import { join } from "node:path";
import { randomBase62 } from "../../lib/ids.ts";
import { errorCode } from "../disk/store-fs.ts";
import type { StoreFile, StoreFs } from "../disk/store-fs.ts";
import type { MediaDisk } from "./media-disk.ts";
import { HEAD_BYTES, IncomingMedia, MediaRefused } from "./media-incoming.ts";
import type { SavedFile } from "./media-incoming.ts";
import { isReadWhole } from "./media-measure.ts";
import { getShard, getSidecarPath, getStem, isMediaId, readName, readSidecar, writeSidecar } from "./sidecar.ts";
import type { Sidecar } from "./sidecar.ts";

/** Min free bytes to save a result, so that money and keys can still be written (reliability M7). */
export const LOW_WATER_BYTES = 1024 ** 3;
/** Bytes after which disk space is checked again, so that an endless result cannot fill the disk. */
const LOOK_BYTES = 64 * 1024 ** 2;
const INCOMING = "incoming";
/** Bytes that are hashed in one turn of the event loop. */
const HASHED_BYTES = 256 * 1024;
/** Preview images are stored in the formats that pages draw. */
const POSTER_EXTENSIONS = ["webp", "jpg", "png"] as const;

/** A complete file that is not yet in the library, in a folder that a start clears. */
export interface IncomingFile extends SavedFile {
  readonly aside: string;
}

/** A still that is in the library. */
export interface PosterFile {
  readonly path: string;
  readonly extension: string;
}

/**
 * Files of the library, named by result ids: `media/ab/<id>.<extension>`, `<id>.json` and the preview image of a video,
 * `<id>.poster.<extension>`. Files with these names are complete: they are written in `incoming/`, synced, and renamed.
 */
export class MediaFiles {
  readonly #fs: StoreFs;
  readonly #disk: MediaDisk;
  readonly #dir: string;
  /** Folders whose names are on the disk: an earlier run may have been killed before it synced them. */
  readonly #made = new Set<string>();

  /** @param dir the library's folder */
  constructor(fs: StoreFs, disk: MediaDisk, dir: string) {
    this.#fs = fs;
    this.#disk = disk;
    this.#dir = dir;
  }

  /**
   * Creates the folder for incoming files. Completes files whose sidecar was written before a crash, and removes the
   * rest.
   */
  async prepare(): Promise<void> {
    const incoming = join(this.#dir, INCOMING);
    await this.#fs.makeFolder(incoming);
    for (const name of await this.#fs.list(incoming)) {
      const aside = join(incoming, name);
      // A save never leaves a folder.
      if ((await this.#fs.check(aside))?.kind === "folder") continue;
      if (!(await this.#finish(aside, name.split(".")[0] ?? ""))) await this.#fs.remove(aside);
    }
  }

  getPath({ entry, extension }: Pick<Sidecar, "entry" | "extension">): string {
    return `${getStem(this.#dir, entry.id)}.${extension}`;
  }

  /**
   * Saves an incoming result, with at most one chunk in memory. It is not listed until `place`.
   * @param name id of the result, used for recovery after a crash between sidecar and file; or another name
   * @throws MediaRefused if its type is not stored or the disk refuses it; what `chunks` throws
   */
  async save(name: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<IncomingFile> {
    if (!/^\w{1,110}$/.test(name)) throw new TypeError(`not a name of the library: ${name}`);
    await this.#requireRoom();
    const aside = join(this.#dir, INCOMING, `${name}.${randomBase62(16)}`);
    const incoming = new IncomingMedia();
    let file: StoreFile | null = null;
    try {
      file = await onDisk(this.#fs.open(aside, "create"));
      let looked = 0;
      for await (const chunk of chunks) {
        incoming.take(chunk);
        if (incoming.bytes - looked >= LOOK_BYTES) {
          looked = incoming.bytes;
          await this.#requireRoom();
        }
        await onDisk(file.write(chunk, incoming.bytes - chunk.length));
      }
      const whole = incoming.finish();
      await onDisk(file.sync());
      await file.close();
      file = null;
      return { ...(await measureFile(whole, aside)), aside };
    } catch (error) {
      await file?.close().catch(() => undefined);
      await this.#fs.remove(aside).catch(() => undefined);
      throw error;
    }
  }

  /** Removes a saved file that no sidecar will name. */
  async discard({ aside }: IncomingFile): Promise<void> {
    await this.#fs.remove(aside).catch(() => undefined);
  }

  /**
   * Moves a saved file into place, after its sidecar: a crash leaves neither, or a state that the next start completes.
   * @throws the disk's error
   */
  async place({ aside }: IncomingFile, sidecar: Sidecar): Promise<void> {
    await this.#fs.syncFolder(join(this.#dir, INCOMING));
    await this.putSidecar(sidecar);
    await this.syncFolder(sidecar.entry.id);
    await this.#fs.rename(aside, this.getPath(sidecar));
    await this.syncFolder(sidecar.entry.id);
  }

  /** Reverts `place`. @returns false if the disk refuses: the rest is complete, or completed at a start */
  async undo(file: IncomingFile, sidecar: Sidecar): Promise<boolean> {
    try {
      const { id } = sidecar.entry;
      await this.#fs.remove(getSidecarPath(this.#dir, id));
      await this.syncFolder(id);
      // A file that has the name while this one lies aside was there before.
      if ((await this.#fs.size(file.aside)) === null) await this.#fs.remove(this.getPath(sidecar));
      await this.#fs.remove(file.aside);
      await this.syncFolder(id);
      return true;
    } catch {
      return false;
    }
  }

  /** Writes a sidecar, whole or not at all; its folder is to be synced. @throws the disk's error */
  async putSidecar(sidecar: Sidecar): Promise<void> {
    const { id } = sidecar.entry;
    await this.makeFolder(id);
    const aside = join(this.#dir, INCOMING, randomBase62(16));
    try {
      const file = await this.#fs.open(aside, "create");
      try {
        await file.write(writeSidecar(sidecar), 0);
        await file.sync();
      } finally {
        await file.close();
      }
      await this.#fs.rename(aside, getSidecarPath(this.#dir, id));
    } catch (error) {
      await this.#fs.remove(aside).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Creates the folder of a result's files. @throws MediaRefused if another kind of entry is there; the disk's error
   */
  async makeFolder(id: string): Promise<void> {
    const folder = join(this.#dir, getShard(id));
    const found = await this.#fs.check(folder);
    if (found?.kind === "folder" && this.#made.has(folder)) return;
    // The target of a link does not belong to Postern.
    if (found?.kind === "link") throw new MediaRefused("disk", `${folder} is a link to another place. Remove it.`);
    await this.#fs.makeFolder(folder);
    await this.#fs.syncFolder(this.#dir);
    this.#made.add(folder);
  }

  /** Syncs the folder of a result, so that new and removed names survive a power cut. @throws the disk's error */
  syncFolder(id: string): Promise<void> {
    return this.#fs.syncFolder(join(this.#dir, getShard(id)));
  }

  /** Whether the file of a result is there and of its size. */
  async isThere(sidecar: Sidecar): Promise<boolean> {
    return (
      (await this.#isInside(sidecar.entry.id)) && (await this.#fs.size(this.getPath(sidecar))) === sidecar.entry.bytes
    );
  }

  /** Opens a file for reading. @returns null when it is not there, or is not the whole file that it was */
  async open(sidecar: Sidecar): Promise<StoreFile | null> {
    return (await this.isThere(sidecar)) ? openUnlessGone(this.#fs, this.getPath(sidecar)) : null;
  }

  /** Moves a saved preview image into place, replacing an earlier one. @throws the disk's error */
  async placePoster(id: string, { aside, type: { extension } }: IncomingFile): Promise<void> {
    await this.makeFolder(id);
    await this.#fs.rename(aside, this.#getPosterPath(id, extension));
    for (const other of POSTER_EXTENSIONS)
      if (other !== extension) await this.#fs.remove(this.#getPosterPath(id, other));
    await this.syncFolder(id);
  }

  async findPoster(id: string): Promise<PosterFile | null> {
    if (!(await this.#isInside(id))) return null;
    for (const extension of POSTER_EXTENSIONS) {
      const path = this.#getPosterPath(id, extension);
      if ((await this.#fs.size(path)) !== null) return { path, extension };
    }
    return null;
  }

  openPoster({ path }: PosterFile): Promise<StoreFile | null> {
    return openUnlessGone(this.#fs, path);
  }

  /** Returns size and hash of a preview image. @throws the disk's error */
  async measure({ path }: PosterFile): Promise<{ readonly bytes: number; readonly sha256: string }> {
    return { bytes: (await this.#fs.size(path)) ?? 0, sha256: await hashFile(this.#fs, path) };
  }

  /** Names of the media files of a result, as its folder has them. */
  async findFiles(id: string): Promise<readonly string[]> {
    if (!(await this.#isInside(id))) return [];
    const names = await this.#fs.list(join(this.#dir, getShard(id)));
    return names.filter((name) => isOwnFile(id, name) && readName(name)?.kind === "media");
  }

  /** Removes all files of results, the media first: no file is left without what is known of it. @throws the disk's error */
  async removeAll(ids: ReadonlySet<string>): Promise<void> {
    for (const shard of new Set([...ids].map(getShard))) {
      const folder = join(this.#dir, shard);
      if ((await this.#fs.check(folder))?.kind !== "folder") continue;
      const files = (await this.#fs.list(folder)).flatMap((name) => readName(name) ?? []);
      const going = files
        .filter(({ id }) => ids.has(id))
        .toSorted((a, b) => Number(isSidecar(a)) - Number(isSidecar(b)));
      for (const { id, kind, extension } of going) {
        const name = kind === "poster" ? `${id}.poster.${extension}` : `${id}.${extension}`;
        await this.#fs.remove(join(folder, name));
      }
      await this.#fs.syncFolder(folder);
    }
  }

  #getPosterPath(id: string, extension: string): string {
    return `${getStem(this.#dir, id)}.poster.${extension}`;
  }

  /** Whether a result's folder is one of the library's own. */
  async #isInside(id: string): Promise<boolean> {
    return (await this.#fs.check(join(this.#dir, getShard(id))))?.kind === "folder";
  }

  /** @returns whether the file is in its place now */
  async #finish(aside: string, id: string): Promise<boolean> {
    const sidecar = isMediaId(id) ? await readSidecar(this.#fs, this.#dir, id) : "missing";
    if (typeof sidecar === "string" || (await this.#fs.size(aside)) !== sidecar.entry.bytes) return false;
    if ((await this.isThere(sidecar)) || (await hashFile(this.#fs, aside)) !== sidecar.entry.sha256) return false;
    await this.#fs.rename(aside, this.getPath(sidecar));
    await this.syncFolder(id);
    return true;
  }

  async #requireRoom(): Promise<void> {
    const free = await onDisk(this.#disk.freeBytes(this.#dir));
    if (free >= LOW_WATER_BYTES) return;
    throw new MediaRefused(
      "room",
      `only ${Math.floor(free / 1024 ** 2)} MiB are free on the disk, and ${LOW_WATER_BYTES / 1024 ** 2} MiB must stay free.`,
    );
  }
}

const isOwnFile = (id: string, name: string): boolean => readName(name)?.id === id;
const isSidecar = ({ kind }: { readonly kind: string }): boolean => kind === "sidecar";

/** SHA-256 of a file in hex. @throws the disk's error */
export async function hashFile(fs: StoreFs, path: string): Promise<string> {
  const hash = createHash("sha256");
  const chunk = Buffer.allocUnsafe(HASHED_BYTES);
  const file = await fs.open(path, "read");
  try {
    for (let at = 0, length = chunk.length; length === chunk.length; at += length) {
      length = await file.read(chunk, at);
      hash.update(chunk.subarray(0, length));
    }
    return hash.digest("hex");
  } finally {
    await file.close();
  }
}

async function openUnlessGone(fs: StoreFs, path: string): Promise<StoreFile | null> {
  try {
    return await fs.open(path, "read");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** Videos and long sounds have their measures anywhere in the file; what reads it is loaded with the first of them. */
async function measureFile(saved: SavedFile, path: string): Promise<SavedFile> {
  if (!isReadWhole(saved.type, HEAD_BYTES, saved.bytes)) return saved;
  const { measureContainer } = await import("./media-container.ts");
  const { type, bytes } = saved;
  return { ...saved, measure: await measureContainer({ path, extension: type.extension, bytes }) };
}

/** Converts a disk error to a refusal with a message; a refusal is kept. */
export async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof MediaRefused) throw error;
    const code = errorCode(error) || String(error);
    throw new MediaRefused("disk", `the data folder cannot be written (${code}).`, error);
  }
}

import { join } from "node:path";
import { randomBase62 } from "../../lib/ids.ts";
import { KeyedMutex } from "../../lib/mutex.ts";
import type { MediaDisk } from "./media-disk.ts";
import { HEAD_BYTES, IncomingMedia, MediaRefused } from "./media-incoming.ts";
import type { SavedFile } from "./media-incoming.ts";
import { isReadWhole } from "./media-measure.ts";
import { errorCode } from "../disk/store-fs.ts";
import type { StoreFile, StoreFs } from "../disk/store-fs.ts";

/** Min free bytes to save a result, so that money and keys can still be written (reliability M7). */
export const LOW_WATER_BYTES = 1024 ** 3;
/** Room is looked at again after so many bytes: a result that does not end must not take the last of it. */
const LOOK_BYTES = 64 * 1024 ** 2;
const INCOMING = "incoming";

/**
 * The files of the library: `media/ab/<sha256>.<extension>`, named by their content, so that a repeated result is one
 * file. A name below these folders is always a whole file: it is written in `incoming/`, synced, and renamed.
 */
export class MediaFiles {
  readonly #fs: StoreFs;
  readonly #disk: MediaDisk;
  readonly #dir: string;
  /** Serializes placing and removing a file by its content. */
  readonly #mutex = new KeyedMutex();
  /** Saved files that no line names yet: they must not be removed, even if another line named them. */
  readonly #unnamed = new Map<string, number>();

  /** @param dir the library's folder */
  constructor(fs: StoreFs, disk: MediaDisk, dir: string) {
    this.#fs = fs;
    this.#disk = disk;
    this.#dir = dir;
  }

  /** Makes the folders, and removes what a crash left of files that were still coming in. */
  async prepare(): Promise<void> {
    const incoming = join(this.#dir, INCOMING);
    await this.#fs.makeFolder(incoming);
    for (const name of await this.#fs.list(incoming)) await this.#fs.remove(join(incoming, name));
  }

  pathOf(sha256: string, extension: string): string {
    return join(this.#dir, sha256.slice(0, 2), `${sha256}.${extension}`);
  }

  /**
   * Saves a result as it comes in, with at most a chunk of it in memory. Call `named` when a line names it, or when none
   * ever will.
   * @throws MediaRefused when the library does not keep its type or the disk refuses it; what `chunks` throws
   */
  async save(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<SavedFile> {
    await this.#requireRoom();
    const aside = join(this.#dir, INCOMING, randomBase62(16));
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
      const saved = await measured(whole, aside);
      await this.#mutex.run([saved.sha256], () => onDisk(this.#place(aside, saved)));
      return saved;
    } catch (error) {
      await file?.close().catch(() => undefined);
      await this.#fs.remove(aside).catch(() => undefined);
      throw error;
    }
  }

  /** Opens a file for reading. @returns null when it is not there, or is not the whole file that it was. */
  async open(sha256: string, extension: string, bytes: number): Promise<StoreFile | null> {
    const path = this.pathOf(sha256, extension);
    if (await this.#leadsAway(join(path, ".."))) return null;
    if ((await this.#fs.size(path)) !== bytes) return null;
    try {
      return await this.#fs.open(path, "read");
    } catch (error) {
      if (errorCode(error) === "ENOENT") return null;
      throw error;
    }
  }

  /** A saved file has its line, or will have none. */
  named(sha256: string): void {
    const left = (this.#unnamed.get(sha256) ?? 0) - 1;
    if (left > 0) this.#unnamed.set(sha256, left);
    else this.#unnamed.delete(sha256);
  }

  /**
   * Removes a file unless it is needed: the same bytes have just been saved, or `isNeeded` returns true.
   * @returns the folder that is to be synced; null when nothing was removed
   * @throws the disk's error
   */
  remove(sha256: string, extension: string, isNeeded: () => boolean): Promise<string | null> {
    return this.#mutex.run([sha256], async () => {
      const path = this.pathOf(sha256, extension);
      const folder = join(path, "..");
      // The target of a link does not belong to Postern.
      if (await this.#leadsAway(folder)) return null;
      if (this.#unnamed.has(sha256) || isNeeded()) return null;
      await this.#fs.remove(path);
      return folder;
    });
  }

  /** Syncs folders, so that removals in them survive a power cut. */
  async syncFolders(folders: ReadonlySet<string>): Promise<void> {
    for (const folder of folders) await this.#fs.syncFolder(folder);
  }

  async #leadsAway(folder: string): Promise<boolean> {
    return (await this.#fs.check(folder))?.kind === "link";
  }

  async #requireRoom(): Promise<void> {
    const free = await onDisk(this.#disk.freeBytes(this.#dir));
    if (free >= LOW_WATER_BYTES) return;
    throw new MediaRefused(
      "room",
      `only ${Math.floor(free / 1024 ** 2)} MiB are free on the disk, and ${LOW_WATER_BYTES / 1024 ** 2} MiB must stay free.`,
    );
  }

  async #place(aside: string, { sha256, type, bytes }: SavedFile): Promise<void> {
    const path = this.pathOf(sha256, type.extension);
    const folder = join(path, "..");
    if (await this.#leadsAway(folder)) {
      throw new MediaRefused("disk", `${folder} is a link to another place. Remove it.`);
    }
    await this.#fs.makeFolder(folder);
    await this.#fs.syncFolder(this.#dir);
    // A file with the same bytes is there already, unless it was changed: then it is replaced.
    const known = (await this.#fs.size(path)) === bytes;
    if (known) await this.#fs.remove(aside);
    else await this.#fs.rename(aside, path);
    await this.#fs.syncFolder(folder);
    this.#unnamed.set(sha256, (this.#unnamed.get(sha256) ?? 0) + 1);
  }
}

/** Videos and long sounds have their measures anywhere in the file; what reads it is loaded with the first of them. */
async function measured(saved: SavedFile, path: string): Promise<SavedFile> {
  if (!isReadWhole(saved.type, HEAD_BYTES, saved.bytes)) return saved;
  const { measureContainer } = await import("./media-container.ts");
  const { type, bytes } = saved;
  return { ...saved, measure: await measureContainer({ path, extension: type.extension, bytes }) };
}

/** A failure of the disk, in words; what is a refusal already stays one. */
async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof MediaRefused) throw error;
    const code = errorCode(error) || String(error);
    throw new MediaRefused("disk", `the data folder cannot be written (${code}).`, error);
  }
}

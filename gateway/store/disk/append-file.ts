import { dirname } from "node:path";
import { NEWLINE } from "./line.ts";
import type { BadRange } from "./line.ts";
import type { StoreFile, StoreFs } from "./store-fs.ts";

const NEW_LINE = Buffer.from("\n");

/**
 * Writes a file that only grows. It tracks synced and written (in the kernel) bytes, and keeps the unsynced ones in
 * memory, because a failed sync may have dropped them. The append position is read from the file at open, and only its
 * own attempted writes are ever truncated.
 */
export class AppendFile {
  readonly path: string;
  readonly #fs: StoreFs;
  readonly #file: StoreFile;
  #synced: number;
  #end: number;
  #unsynced: Uint8Array[] = [];
  /** Max bytes of refused writes that may exist beyond `#end`. */
  #refused = 0;
  #lostSync = false;

  private constructor(fs: StoreFs, path: string, file: StoreFile, end: number) {
    this.path = path;
    this.#fs = fs;
    this.#file = file;
    this.#synced = end;
    this.#end = end;
  }

  /**
   * Opens the file, and creates a missing one. Its name is on the disk when this resolves, even if another process made it,
   * and so are the bytes that a killed process has left in it. A partial last line is ended with a newline, and stays.
   */
  static async open(fs: StoreFs, path: string): Promise<AppendFile> {
    const file = await fs.open(path, "append");
    try {
      await fs.syncFolder(dirname(path));
      let end = (await fs.size(path)) ?? 0;
      if (end > 0) {
        const last = Buffer.alloc(1);
        await file.read(last, end - 1);
        if (last[0] !== NEWLINE) {
          await file.write(NEW_LINE, end);
          end += NEW_LINE.length;
        }
        await file.sync();
      }
      return new AppendFile(fs, path, file, end);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Byte offset of the next line. */
  get end(): number {
    return this.#end;
  }

  /** How much of it is on the disk. */
  get synced(): number {
    return this.#synced;
  }

  /** Whether the last sync failed and was not repaired yet. */
  get lostSync(): boolean {
    return this.#lostSync;
  }

  /** Whether there is something to repair. */
  get dirty(): boolean {
    return this.#refused > 0 || this.#lostSync;
  }

  /** Writes in the kernel, now. @throws the disk's error; then `repair` before the next write */
  write(bytes: Uint8Array): void {
    try {
      this.#file.writeNow(bytes, this.#end);
    } catch (error) {
      this.#refused = Math.max(this.#refused, bytes.length);
      throw error;
    }
    this.#end += bytes.length;
    this.#unsynced.push(bytes);
  }

  /** Syncs everything written before the call. @throws the disk's error; then `repair` */
  async sync(): Promise<void> {
    const count = this.#unsynced.length;
    const end = this.#end;
    try {
      await this.#file.sync();
    } catch (error) {
      this.#lostSync = true;
      throw error;
    }
    this.#synced = end;
    this.#unsynced.splice(0, count);
  }

  /** Discards the writes since the last good sync. `repair` removes them from the file. */
  takeBack(): void {
    this.#refused += this.#end - this.#synced;
    this.#end = this.#synced;
    this.#unsynced = [];
    this.#lostSync = false;
  }

  /**
   * Repairs after an error: truncates refused writes, rewrites what a failed sync may have lost, and syncs.
   * @throws the disk's error; or an error if the file has grown by another writer
   */
  async repair(): Promise<void> {
    if (this.#refused > 0) {
      const size = (await this.#fs.size(this.path)) ?? 0;
      if (size > this.#end + this.#refused) throw new Error(`another program has written to ${this.path}`);
      await this.#file.truncate(this.#end);
      this.#refused = 0;
    }
    if (this.#lostSync) {
      // Bytes are rewritten in place unchanged, so that a kill in between leaves them intact.
      let position = this.#synced;
      for (const bytes of this.#unsynced) {
        await this.#file.write(bytes, position);
        position += bytes.length;
      }
      this.#lostSync = false;
    }
    await this.sync();
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/**
 * Syncs a file whose lines were just read, because their writer may have been killed before its sync; afterwards their
 * content may be reported.
 * @param torn partial line at its end to truncate, if a copy exists; null for none
 */
export async function secureFile(fs: StoreFs, path: string, torn: BadRange | null): Promise<void> {
  const file = await fs.open(path, "append");
  try {
    if (torn !== null && (await fs.size(path)) === torn.end) await file.truncate(torn.start);
    await file.sync();
  } finally {
    await file.close();
  }
}

import { join } from "node:path";
import { segmentName } from "./segments.ts";
import type { StoreFile, StoreFs } from "./store-fs.ts";

/**
 * The writing end of one usage segment. It knows three lengths: what is synced, what is written (in the kernel), and
 * it keeps the bytes between the two until they are synced, because a disk that fails a sync may have dropped them.
 */
export class SegmentFile {
  readonly month: string;
  readonly #file: StoreFile;
  #written: number;
  #unsynced: Uint8Array[] = [];
  /** Bytes of a refused write may lie beyond `#written`. */
  #dirtyTail = false;
  /** A sync failed: what is in `#unsynced` must be written once more. */
  #lostSync = false;

  private constructor(month: string, file: StoreFile, length: number) {
    this.month = month;
    this.#file = file;
    this.#written = length;
  }

  /**
   * @param length where its next line belongs; what lies beyond is a line that was not finished, and is cut off.
   * A file that is made here is on the disk by name when this resolves.
   */
  static async open(fs: StoreFs, folder: string, month: string, length: number): Promise<SegmentFile> {
    const file = await fs.open(join(folder, segmentName(month)), "append");
    try {
      await file.truncate(length);
      if (length === 0) await fs.syncFolder(folder);
    } catch (error) {
      await file.close();
      throw error;
    }
    return new SegmentFile(month, file, length);
  }

  get written(): number {
    return this.#written;
  }

  get dirty(): boolean {
    return this.#unsynced.length > 0;
  }

  /** Writes in the kernel, now. @throws the disk's error; then `repair` before the next write. */
  append(bytes: Uint8Array): void {
    try {
      this.#file.writeNow(bytes, this.#written);
    } catch (error) {
      this.#dirtyTail = true;
      throw error;
    }
    this.#written += bytes.length;
    this.#unsynced.push(bytes);
  }

  /** Everything that was written before the call is on the disk when this resolves. */
  async sync(): Promise<void> {
    const count = this.#unsynced.length;
    try {
      await this.#file.sync();
    } catch (error) {
      this.#lostSync = true;
      throw error;
    }
    this.#unsynced.splice(0, count);
  }

  /** After an error: cuts off what was written in part, and writes again what a failed sync may have lost. */
  async repair(): Promise<void> {
    if (this.#dirtyTail) {
      await this.#file.truncate(this.#written);
      this.#dirtyTail = false;
    }
    if (this.#lostSync) {
      // In place and with the same bytes, so that a kill in between finds them whole too.
      let position = this.#written - this.#unsynced.reduce((sum, bytes) => sum + bytes.length, 0);
      for (const bytes of this.#unsynced) {
        await this.#file.write(bytes, position);
        position += bytes.length;
      }
      this.#lostSync = false;
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

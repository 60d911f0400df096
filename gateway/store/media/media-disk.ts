import { statfs } from "node:fs/promises";

/** Disk functions beyond `StoreFs`. */
export interface MediaDisk {
  /** Bytes that this user may still write on the disk of `folder`; infinite if the file system does not report it. */
  freeBytes(folder: string): Promise<number>;
}

export const nodeMediaDisk: MediaDisk = {
  async freeBytes(folder) {
    try {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    } catch {
      // The write itself fails when no space is left.
      return Number.POSITIVE_INFINITY;
    }
  },
};

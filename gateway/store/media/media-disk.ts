import { lstat, statfs } from "node:fs/promises";
import { errorCode } from "../disk/store-fs.ts";

/** What the media library asks of the disk beyond `StoreFs`. */
export interface MediaDisk {
  /** Bytes that this user may still write where `folder` is; infinite where the file system does not tell. */
  freeBytes(folder: string): Promise<number>;
  /** Whether there is a symbolic link (or junction) by this name. Links are followed neither for writing nor for reading. */
  isLink(path: string): Promise<boolean>;
}

export const nodeMediaDisk: MediaDisk = {
  async freeBytes(folder) {
    try {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    } catch {
      // The write itself will say when there is none.
      return Number.POSITIVE_INFINITY;
    }
  },
  async isLink(path) {
    try {
      return (await lstat(path)).isSymbolicLink();
    } catch (error) {
      if (errorCode(error) === "ENOENT") return false;
      throw error;
    }
  },
};

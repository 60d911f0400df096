import { join } from "node:path";
import type { StoreFs } from "../gateway/store/disk/store-fs.ts";

const NAME = "desktop";

/**
 * Creates the desktop shell's folder within the data folder, for Chromium's profile and the window's place. An unused
 * data folder gets its restricted mode here, because the store only does so while it is empty.
 * @returns its path, or null if it cannot be created or is a link; opening the data folder then reports why.
 */
export async function makeShellFolder(fs: StoreFs, dataDir: string): Promise<string | null> {
  const folder = join(dataDir, NAME);
  try {
    await fs.makeFolder(folder);
    // The target of a link is not Postern's: opening the data folder sets it aside.
    if ((await fs.check(folder))?.kind !== "folder") return null;
    const names = await fs.list(dataDir);
    if (names.every((name) => name === NAME)) await fs.protect(dataDir);
    return folder;
  } catch {
    return null;
  }
}

import { join } from "node:path";
import * as z from "zod";
import { KEY_FILE } from "../gateway/store/data-key.ts";
import type { StoreFs } from "../gateway/store/disk/store-fs.ts";

const keyFileSchema = z.object({ backend: z.string() });

/**
 * What sealed the data folder's key on an earlier start: a keychain's name, or `file`. Null when there is no key yet, or
 * when its file is damaged: opening the store sets that aside and says so.
 */
export async function sealedBy(fs: StoreFs, dataDir: string): Promise<string | null> {
  try {
    const text = (await fs.readWhole(join(dataDir, KEY_FILE))).toString("utf8");
    return keyFileSchema.parse(JSON.parse(text)).backend;
  } catch {
    return null;
  }
}

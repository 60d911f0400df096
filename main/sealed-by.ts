import { join } from "node:path";
import * as z from "zod";
import { jsonIn } from "../gateway/store/disk/atomic-file.ts";
import { KEY_FILE } from "../gateway/store/data-key.ts";
import type { StoreFs } from "../gateway/store/disk/store-fs.ts";

const sealedSchema = z.object({ backend: z.string() });
const keyFileSchema = sealedSchema.extend({ earlier: z.array(sealedSchema).optional() });

/**
 * What sealed the data folder's keys on earlier starts, newest first: keychains' names, or `file`. None when there is no
 * key yet, or when its file is damaged: opening the store sets that aside and says so.
 */
export async function sealedBy(fs: StoreFs, dataDir: string): Promise<readonly string[]> {
  try {
    const { backend, earlier = [] } = keyFileSchema.parse(jsonIn(await fs.readWhole(join(dataDir, KEY_FILE))));
    return [backend, ...earlier.map((key) => key.backend)];
  } catch {
    return [];
  }
}

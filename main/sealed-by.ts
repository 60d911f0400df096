import { join } from "node:path";
import type { StoreFs } from "../gateway/store/disk/store-fs.ts";
import { FILE, KEY_FILE, parseKeyFile } from "../gateway/store/key-file.ts";
import { isFixedPassword } from "./policy/keychain.ts";

/**
 * Returns the sealers of the data folder's keys on earlier starts, newest first: keychains' names, or `file`, which also
 * stands for a fixed password under a keychain's name. Empty if there is no key yet, or if its file is damaged: opening
 * the store sets that aside and says so.
 */
export async function readProtection(
  fs: Pick<StoreFs, "readWhole">,
  dataDir: string,
  platform: NodeJS.Platform = process.platform,
): Promise<readonly string[]> {
  const bytes = await fs.readWhole(join(dataDir, KEY_FILE)).catch(() => null);
  const keys = (bytes === null ? null : parseKeyFile(bytes)) ?? [];
  return keys.map(({ backend, sealed }) => (isFixedPassword(platform, Buffer.from(sealed, "base64")) ? FILE : backend));
}

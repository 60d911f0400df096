import { join } from "node:path";
import type { StoreFs } from "../gateway/store/disk/store-fs.ts";
import { FILE, KEY_FILE, parseKeyFile } from "../gateway/store/key-file.ts";
import { isFixedPassword } from "./policy/keychain.ts";

/**
 * Returns what encrypted the data folder's keys on earlier starts, newest first: keychain names, or `file`, also for a
 * fixed password under a keychain's name. Empty if there is no key yet, or if its file is damaged, which opening the
 * store quarantines and reports.
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

import { join } from "node:path";
import { BACKUPS_FOLDER } from "../backups/backup.ts";
import type { StoreFs } from "../disk/store-fs.ts";

/** Whether a file has columns of receipts or sums of sessions, which earlier versions kept next to the log. */
export const isEarlierUsage = (name: string): boolean => /^usage-.+\.(?:heads|blocks)$|^usage\.sessions$/.test(name);

/**
 * Removes derived files of earlier versions if there is a backup; an earlier version would rebuild them.
 * @param folder folder of the log, in the data folder
 */
export async function removeEarlierFiles(
  fs: StoreFs,
  folder: string,
  isEarlier: (name: string) => boolean,
): Promise<void> {
  const names = (await fs.list(folder)).filter(isEarlier);
  if (names.length === 0 || (await fs.list(join(folder, "..", BACKUPS_FOLDER))).length === 0) return;
  for (const name of names) await fs.remove(join(folder, name));
}

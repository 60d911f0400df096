import { join } from "node:path";
import type { Backup } from "../../contract/maintenance.ts";
import { BACKUPS_FOLDER, REMOVING } from "./backup.ts";
import { readBackupName } from "./backup-name.ts";
import { measure } from "../folder/measure-folder.ts";
import { nodeStoreFs } from "../disk/store-fs.ts";

/** The backups of a data folder, newest first, with what they take. */
export async function listBackups(dir: string): Promise<Backup[]> {
  const backups: Backup[] = [];
  for (const name of await nodeStoreFs.list(join(dir, BACKUPS_FOLDER))) {
    const read = readBackupName(name);
    // What is no folder is no backup: a link to one least of all.
    if (read === null || (await nodeStoreFs.check(join(dir, BACKUPS_FOLDER, name)))?.kind !== "folder") continue;
    const { bytes } = await measure(join(dir, BACKUPS_FOLDER, name));
    backups.push({ name, ...read, bytes });
  }
  return backups.toSorted((one, other) => other.at - one.at || other.name.localeCompare(one.name));
}

/** Deletes a backup for good. Under another name first, so that a half of it is not taken for one. */
export async function removeBackup(dir: string, name: string): Promise<void> {
  const path = join(dir, BACKUPS_FOLDER, name);
  const leaving = path + REMOVING;
  await nodeStoreFs.rename(path, leaving);
  await nodeStoreFs.removeFolder(leaving);
}

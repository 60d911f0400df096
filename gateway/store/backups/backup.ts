import { join } from "node:path";
import type { BackupKind } from "../../contract/upkeep.ts";
import type { Clock } from "../../lib/clock.ts";
import { isTemporary } from "../disk/atomic-file.ts";
import { MARKER_FILE, TASKS_FOLDER, USAGE_FOLDER } from "../folder/data-folder.ts";
import { KEY_FILE } from "../data-key.ts";
import { SECRETS_FILE } from "../secrets.ts";
import { backupName } from "./backup-name.ts";
import type { StoreFs } from "../disk/store-fs.ts";

/** Below the data folder. */
export const BACKUPS_FOLDER = "backups";
const COPY_BYTES = 256 * 1024;

/**
 * Copies everything that a start needs into `backups/<time>/`: states, journals, usage, archived tasks and sealed
 * secrets. The copy is a data folder of its own. Journals are copied after the states that they continue, so it opens
 * like after a crash. Tasks go from the document to the archive, so the archive is copied after the journals; its list
 * speaks of what is in its files, so that is copied before them.
 * @param kind goes into its name
 * @param ends how much of the files that are being appended to is whole, in bytes, by name
 */
export async function copyFolder(
  fs: StoreFs,
  dir: string,
  clock: Clock,
  kind: BackupKind,
  ends: ReadonlyMap<string, number>,
): Promise<{ path: string; bytes: number }> {
  const backups = join(dir, BACKUPS_FOLDER);
  const path = join(backups, backupName(clock.now(), kind));
  // Under another name until it is whole, so that a copy that the disk cut short is not taken for a backup.
  const unfinished = `${path}.unfinished`;
  for (const folder of [USAGE_FOLDER, TASKS_FOLDER]) await fs.makeFolder(join(unfinished, folder));
  const names = (await fs.list(dir)).toSorted();
  const chosen = [
    ...names.filter((name) => /^state\.\d+\.ndjson$/.test(name)),
    ...names.filter((name) => /^journal\.\d+\.ndjson$/.test(name)),
    ...(await fs.list(join(dir, USAGE_FOLDER))).map((name) => join(USAGE_FOLDER, name)),
    ...[SECRETS_FILE, KEY_FILE, MARKER_FILE].filter((name) => names.includes(name)),
  ];
  let bytes = 0;
  for (const name of chosen) {
    bytes += await copyFile(fs, join(dir, name), join(unfinished, name), ends.get(name) ?? Infinity);
  }
  // Listed only now, since one of them may have been begun meanwhile.
  for (const name of (await fs.list(join(dir, TASKS_FOLDER))).filter((name) => !isTemporary(name)).toSorted()) {
    const file = join(TASKS_FOLDER, name);
    bytes += await copyFile(fs, join(dir, file), join(unfinished, file), Infinity);
  }
  for (const folder of [USAGE_FOLDER, TASKS_FOLDER]) await fs.syncFolder(join(unfinished, folder));
  await fs.syncFolder(unfinished);
  await fs.rename(unfinished, path);
  await fs.syncFolder(backups);
  await fs.syncFolder(dir);
  return { path, bytes };
}

/** @param most bytes; what is longer is not copied */
export async function copyFile(fs: StoreFs, from: string, to: string, most: number): Promise<number> {
  const source = await fs.open(from, "read");
  try {
    const target = await fs.open(to, "create");
    try {
      const chunk = Buffer.allocUnsafe(COPY_BYTES);
      let position = 0;
      while (position < most) {
        const length = Math.min(await source.read(chunk, position), most - position);
        await target.write(chunk.subarray(0, length), position);
        position += length;
        if (length < COPY_BYTES) break;
      }
      await target.sync();
      return position;
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

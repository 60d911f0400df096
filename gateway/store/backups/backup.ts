import { join } from "node:path";
import type { Backup, BackupKind, MadeBackup } from "../../contract/maintenance.ts";
import type { Clock } from "../../lib/clock.ts";
import { TASKS_FOLDER } from "../folder/data-folder.ts";
import { hasBareKey, KEY_FILE } from "../key-file.ts";
import { DATA_FOLDERS, dataFiles, getRoom } from "./backup-files.ts";
import { backupName, readBackupName } from "./backup-files.ts";
import { diskRefusal, requireRoom } from "./backup-room.ts";
import { nodeStoreFs } from "../disk/store-fs.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import { measure } from "../folder/measure-folder.ts";

/** Below the data folder. */
export const BACKUPS_FOLDER = "backups";
const COPY_BYTES = 256 * 1024;
/** A copy that is being made, so that one that the disk cut short is not taken for a backup. */
const UNFINISHED = ".unfinished";
/** A backup that is being deleted. */
export const REMOVING = ".removing";
const NOT_MADE = "The backup was not made";

export interface BackupJob {
  readonly fs: StoreFs;
  /** The data folder. */
  readonly dir: string;
  readonly clock: Clock;
  /** Goes into its name. */
  readonly kind: BackupKind;
  /** Leaves out the file of the key that decrypts the provider keys. */
  readonly withoutKey: boolean;
  /** Returns the free bytes of a folder's disk. */
  readonly freeBytes: (folder: string) => Promise<number>;
  /** Writes a new state. */
  readonly snapshot: () => Promise<void>;
  /** How much of the files that are being appended to is whole, in bytes, by name. */
  readonly ends: () => ReadonlyMap<string, number>;
}

/**
 * Creates a backup: a new state, and a copy of all files. Nothing is written if the disk has too little space, and a
 * partial copy is removed.
 * @throws StoreWriteError if the disk is full or refuses
 */
export async function makeBackup(job: BackupJob): Promise<MadeBackup> {
  const { fs, dir, freeBytes } = job;
  try {
    await sweepBackups(fs, dir);
    const files = await dataFiles(fs, dir);
    // The new state is about as large as the existing ones, and is written twice: here and in the copy.
    const states = files.filter((name) => name.startsWith("state."));
    const needed = (await getRoom(fs, dir, files)) + 2 * (await getRoom(fs, dir, states));
    requireRoom(NOT_MADE, needed, await freeBytes(dir));
    await job.snapshot();
    return await copyFolder(job);
  } catch (error) {
    throw diskRefusal(NOT_MADE, error);
  }
}

/** Removes partial copies left by a kill during creation or deletion. A failed removal is retried later. */
export async function sweepBackups(fs: StoreFs, dir: string): Promise<void> {
  const backups = join(dir, BACKUPS_FOLDER);
  for (const name of await fs.list(backups)) {
    if (name.endsWith(UNFINISHED) || name.endsWith(REMOVING))
      await fs.removeFolder(join(backups, name)).catch(() => undefined);
  }
}

/**
 * Copies everything that a start needs into `backups/<time>/`: states, journals, usage, archived tasks and sealed
 * secrets. The copy is a data folder of its own. Journals are copied after the states that they continue, so it opens
 * like after a crash. Tasks go from the document to the archive, so the archive is copied after the journals.
 */
async function copyFolder({ fs, dir, clock, kind, withoutKey, ends }: BackupJob): Promise<MadeBackup> {
  const backups = join(dir, BACKUPS_FOLDER);
  const path = join(backups, backupName(clock.now(), kind));
  const unfinished = path + UNFINISHED;
  try {
    const bytes = await copyFiles(fs, dir, unfinished, ends(), withoutKey);
    await fs.rename(unfinished, path);
    await fs.syncFolder(backups);
    await fs.syncFolder(dir);
    return { path, bytes, opens_keys: await hasBareKey(fs, path) };
  } catch (error) {
    await fs.removeFolder(unfinished).catch(() => undefined);
    throw error;
  }
}

async function copyFiles(
  fs: StoreFs,
  dir: string,
  to: string,
  ends: ReadonlyMap<string, number>,
  withoutKey: boolean,
): Promise<number> {
  for (const folder of DATA_FOLDERS) await fs.makeFolder(join(to, folder));
  let bytes = 0;
  const copy = async (files: readonly string[]): Promise<void> => {
    for (const file of files) {
      bytes += await copyFile(fs, join(dir, file), join(to, file), ends.get(file) ?? Infinity);
    }
  };
  const isTask = (file: string): boolean => file.startsWith(TASKS_FOLDER);
  const isState = (file: string): boolean => file.startsWith("state.");
  const isLeft = (file: string): boolean => isTask(file) || (withoutKey && file === KEY_FILE);
  const files = (await dataFiles(fs, dir)).filter((file) => !isLeft(file));
  await copy([...files.filter(isState), ...files.filter((file) => !isState(file))]);
  // Task files are listed last, because one may have been created meanwhile.
  await copy((await dataFiles(fs, dir)).filter(isTask));
  for (const folder of DATA_FOLDERS) await fs.syncFolder(join(to, folder));
  await fs.syncFolder(to);
  return bytes;
}

/** @param most max bytes to copy */
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

/** Lists the backups of a data folder, newest first, with their sizes. */
export async function listBackups(dir: string): Promise<Backup[]> {
  const backups: Backup[] = [];
  for (const name of await nodeStoreFs.list(join(dir, BACKUPS_FOLDER))) {
    const read = readBackupName(name);
    // Only a folder is a backup, never a link to one.
    if (read === null || (await nodeStoreFs.check(join(dir, BACKUPS_FOLDER, name)))?.kind !== "folder") continue;
    const { bytes } = await measure(join(dir, BACKUPS_FOLDER, name));
    const opens = await hasBareKey(nodeStoreFs, join(dir, BACKUPS_FOLDER, name));
    backups.push({ name, ...read, bytes, opens_keys: opens });
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

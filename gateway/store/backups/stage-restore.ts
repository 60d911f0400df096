import { join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { getMessage } from "../../lib/message-of.ts";
import { backupName, readBackupName } from "./backup-files.ts";
import { diskRefusal } from "./backup-room.ts";
import { openStore } from "../open-store.ts";
import type { OpenStoreOptions } from "../open-store.ts";
import { hasState } from "./backup-files.ts";
import { applyRestore, copyToStage, forgetRestore, intendRestore } from "./restore.ts";
import { nodeStoreFs } from "../disk/store-fs.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import { StoreOpenError } from "../folder/data-folder.ts";
import { isEarlier, getLayout, upgradeMediaIndex } from "../folder/upgrade-folder.ts";

/** A backup that cannot be restored, with the reason as a sentence. The data is unchanged. */
export class BackupUnusableError extends Error {
  override readonly name = "BackupUnusableError";
}

/**
 * Stages a copy of a backup, checks that it opens, and makes the next start replace the data with it.
 * @returns name of the backup that the present data becomes
 * @throws BackupUnusableError; StoreWriteError if the disk is full or refuses the copy
 */
export async function stageRestore(
  options: Pick<OpenStoreOptions, "sealer" | "clock"> & {
    readonly dir: string;
    readonly backup: string;
    readonly freeBytes: (folder: string) => Promise<number>;
  },
): Promise<string> {
  const { dir, backup, clock, freeBytes } = options;
  if (readBackupName(backup) === null) throw new BackupUnusableError(`There is no backup ${backup.slice(0, 100)}.`);
  await forgetRestore(nodeStoreFs, dir);
  const undo = backupName(clock.now(), "before-restore");
  try {
    await requireWhole(await copyToStage(nodeStoreFs, dir, backup, await freeBytes(dir)), options);
    await intendRestore(nodeStoreFs, dir, { backup, undo });
    return undo;
  } catch (error) {
    await forgetRestore(nodeStoreFs, dir);
    if (!(error instanceof StoreOpenError)) throw diskRefusal("This backup cannot be restored", error);
    throw new BackupUnusableError(`This backup cannot be restored: ${getMessage(error)}`, { cause: error });
  }
}

/** @param stage a copy of a backup @throws BackupUnusableError when opening would have anything to repair */
async function requireWhole(stage: string, { sealer, clock }: Pick<OpenStoreOptions, "sealer" | "clock">) {
  const store = await openStore({ dir: stage, sealer, clock, log: () => {} });
  const { openingNotices, frozen, fresh } = store;
  await store.close();
  // A newer version's folder has a notice of its own, about opening it for reading.
  if (frozen) {
    throw new BackupUnusableError("This backup was made by a newer version of Postern. Restore it with that.");
  }
  const [trouble] = openingNotices;
  if (trouble !== undefined) throw new BackupUnusableError(`This backup is not whole: ${trouble.message}`);
  if (fresh) throw new BackupUnusableError("This backup is empty.");
}

/**
 * Upgrades a data folder of an earlier version to this layout, before it is opened. A copy is upgraded and then
 * replaces the data like a restored backup, so that a kill or a full disk loses nothing. The old data becomes a backup.
 * @returns name of that backup; null if nothing had to be done
 * @throws StoreOpenError if the disk is full or refuses; the data is unchanged
 */
export async function upgradeFolder(
  fs: StoreFs,
  dir: string,
  { clock, freeBytes }: { readonly clock: Pick<Clock, "now">; readonly freeBytes: (folder: string) => Promise<number> },
): Promise<string | null> {
  if (!(await hasState(fs, dir)) || !isEarlier(await getLayout(fs, dir))) return null;
  const undo = backupName(clock.now(), "before-update");
  try {
    await copyToStage(fs, dir, null, await freeBytes(dir));
    await upgradeMediaIndex(fs, join(dir, "media"));
    await intendRestore(fs, dir, { backup: null, undo });
  } catch (error) {
    await forgetRestore(fs, dir).catch(() => undefined);
    const why = getMessage(diskRefusal("The data folder cannot be brought up to date", error));
    throw new StoreOpenError(`${why} An earlier version made the data in ${dir}; it is as that version left it.`, {
      cause: error,
    });
  }
  await applyRestore(fs, dir);
  return undo;
}

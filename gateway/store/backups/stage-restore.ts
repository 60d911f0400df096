import { messageOf } from "../../lib/message-of.ts";
import { backupName, readBackupName } from "./backup-name.ts";
import { diskRefusal } from "./backup-room.ts";
import { openStore } from "../open-store.ts";
import type { OpenStoreOptions } from "../open-store.ts";
import { copyToStage, forgetRestore, intendRestore } from "./restore.ts";
import { nodeStoreFs } from "../disk/store-fs.ts";
import { StoreOpenError } from "../folder/data-folder.ts";

/** A backup cannot be restored, whatever the disk says; the sentence says why. The data is as it was. */
export class BackupUnusableError extends Error {
  override readonly name = "BackupUnusableError";
}

/**
 * Makes a copy of a backup ready, finds out whether it opens, and has the next start put it in the place of the data.
 * @returns name of the backup that the present data will become
 * @throws BackupUnusableError; StoreWriteError when the disk has no room for the copy, or refuses
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
    throw new BackupUnusableError(`This backup cannot be restored: ${messageOf(error)}`, { cause: error });
  }
}

/** @param stage a copy of a backup @throws BackupUnusableError when opening would have anything to repair */
async function requireWhole(stage: string, { sealer, clock }: Pick<OpenStoreOptions, "sealer" | "clock">) {
  const store = await openStore({ dir: stage, sealer, clock, log: () => {} });
  const { openingNotices, frozen, fresh } = store;
  await store.close();
  const [trouble] = openingNotices;
  if (trouble !== undefined) throw new BackupUnusableError(`This backup is not whole: ${trouble.message}`);
  if (frozen) {
    throw new BackupUnusableError("This backup was made by a newer version of Postern. Restore it with that.");
  }
  if (fresh) throw new BackupUnusableError("This backup is empty.");
}

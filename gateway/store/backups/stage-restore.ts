import { messageOf } from "../../lib/message-of.ts";
import { backupName, readBackupName } from "./backup-name.ts";
import { openStore } from "../open-store.ts";
import type { OpenStoreOptions } from "../open-store.ts";
import { copyToStage, forgetRestore, intendRestore } from "./restore.ts";
import { nodeStoreFs } from "../disk/store-fs.ts";

/** A backup cannot be restored; the sentence says why. The data is as it was. */
export class BackupUnusableError extends Error {
  override readonly name = "BackupUnusableError";
}

/**
 * Makes a copy of a backup ready, finds out whether it opens, and has the next start put it in the place of the data.
 * @returns name of the backup that the present data will become
 * @throws BackupUnusableError
 */
export async function stageRestore(
  options: Pick<OpenStoreOptions, "sealer" | "clock"> & { readonly dir: string; readonly backup: string },
): Promise<string> {
  const { dir, backup, sealer, clock } = options;
  if (readBackupName(backup) === null) throw new BackupUnusableError(`There is no backup ${backup.slice(0, 100)}.`);
  await forgetRestore(nodeStoreFs, dir);
  const undo = backupName(clock.now(), "before-restore");
  try {
    const stage = await copyToStage(nodeStoreFs, dir, backup);
    const store = await openStore({ dir: stage, sealer, clock, log: () => {} });
    const { openingNotices, frozen, fresh } = store;
    await store.close();
    const [trouble] = openingNotices;
    if (trouble !== undefined) throw new BackupUnusableError(`This backup is not whole: ${trouble.message}`);
    if (frozen)
      throw new BackupUnusableError("This backup was made by a newer version of Postern. Restore it with that.");
    if (fresh) throw new BackupUnusableError("This backup is empty.");
  } catch (error) {
    await forgetRestore(nodeStoreFs, dir);
    if (error instanceof BackupUnusableError) throw error;
    throw new BackupUnusableError(`This backup cannot be restored: ${messageOf(error)}`, { cause: error });
  }
  await intendRestore(nodeStoreFs, dir, { backup, undo });
  return undo;
}

import { dirname, join } from "node:path";
import * as z from "zod";
import { parseJson, replaceWithJson } from "../disk/atomic-file.ts";
import { KEY_FILE } from "../key-file.ts";
import { BACKUPS_FOLDER, copyFile } from "./backup.ts";
import { DATA_FOLDERS, dataFiles, hasState, getRoom } from "./backup-files.ts";
import { requireRoom } from "./backup-room.ts";
import { StoreOpenError } from "../folder/data-folder.ts";
import { copyUpgraded, isEarlier, getLayout } from "../folder/upgrade-folder.ts";
import { errorCode } from "../disk/store-fs.ts";
import { INDEX_FILES } from "../ledger/index-file.ts";
import type { StoreFs } from "../disk/store-fs.ts";

/**
 * Restore of a backup, or upgrade of the data to a newer layout: the copy is created and checked while Postern runs
 * (`stage`), and replaces the data at the next start, before anything is opened (`apply`). The replaced data is moved
 * into a separate backup, so nothing is lost. Every step is a rename that an interrupted start resumes.
 */

const RESTORE_FILE = "restore.json";
export const STAGE_FOLDER = "restoring";

const intentSchema = z.object({
  format: z.literal("postern-restore"),
  /** The backup that is restored; null: the data itself, brought into this version's layout. */
  backup: z.string().nullable(),
  /** Name of the backup that holds the replaced data. */
  undo: z.string(),
  /** `away`: the present data is still to be moved. `bring`: it was moved, and the copy replaces it. */
  phase: z.enum(["away", "bring"]),
});
type RestoreIntent = z.infer<typeof intentSchema>;

/** A restored backup, and the backup that holds the replaced data. */
export interface RestoredBackup {
  readonly backup: string;
  readonly undo: string;
}

const stageFolder = (dir: string): string => join(dir, STAGE_FOLDER);

/**
 * Copies a backup, or the data itself, to the staging folder, replacing an earlier copy. The copy is upgraded to this
 * version's layout.
 * @param backup its name; null: the data itself
 * @param freeBytes free bytes of the disk
 * @throws StoreWriteError if there is no space, or the disk's error; the caller removes a partial copy
 */
export async function copyToStage(fs: StoreFs, dir: string, backup: string | null, freeBytes: number): Promise<string> {
  const [from, to] = [backup === null ? dir : join(dir, BACKUPS_FOLDER, backup), stageFolder(dir)];
  const cannot = backup === null ? "The data folder cannot be brought up to date" : "This backup cannot be restored";
  await fs.removeFolder(to);
  const files = await dataFiles(fs, from);
  requireRoom(cannot, await getRoom(fs, from, files), freeBytes, backup === null);
  for (const folder of DATA_FOLDERS) await fs.makeFolder(join(to, folder));
  if (isEarlier(await getLayout(fs, from))) await copyUpgraded(fs, from, to, files);
  else for (const file of files) await copyFile(fs, join(from, file), join(to, file), Infinity);
  // A backup that was made without its key opens with the one of this folder.
  if (!files.includes(KEY_FILE) && (await fs.check(join(dir, KEY_FILE)))?.kind === "file")
    await copyFile(fs, join(dir, KEY_FILE), join(to, KEY_FILE), Infinity);
  await syncAll(fs, to);
  await fs.syncFolder(dir);
  return to;
}

/** Makes the next start restore the staged files. */
export async function intendRestore(fs: StoreFs, dir: string, intent: Omit<RestoreIntent, "format" | "phase">) {
  await replaceWithJson(fs, join(dir, RESTORE_FILE), { format: "postern-restore", ...intent, phase: "away" });
}

/** The next start restores nothing. */
export async function forgetRestore(fs: StoreFs, dir: string): Promise<void> {
  await fs.remove(join(dir, RESTORE_FILE));
  await fs.syncFolder(dir);
  await removeStage(fs, dir);
}

/** Removes the stage; a failure is harmless, and the next start tries again. */
const removeStage = (fs: StoreFs, dir: string): Promise<void> => fs.removeFolder(stageFolder(dir)).catch(() => {});

/** @throws StoreOpenError if it exists but is unreadable */
export async function readIntent(fs: StoreFs, dir: string): Promise<RestoreIntent | null> {
  const path = join(dir, RESTORE_FILE);
  const found = await fs.check(path);
  if (found === null) return null;
  try {
    if (found.kind !== "file") throw new Error("not a file");
    return intentSchema.parse(parseJson(await fs.readWhole(path)));
  } catch (error) {
    throw unknownProgress(dir, `The file ${path} is damaged`, error);
  }
}

function unknownProgress(dir: string, what: string, cause?: unknown): StoreOpenError {
  return new StoreOpenError(
    `${what}, so it is not known how far restoring a backup has come. The newest folder below ` +
      `${join(dir, BACKUPS_FOLDER)} has the data from before: copy its files into ${dir}, and delete ${RESTORE_FILE} ` +
      `and ${STAGE_FOLDER} there.`,
    { cause },
  );
}

/**
 * Completes a scheduled restore. Call with the folder's lock, before the store is opened.
 * @returns the restored backup; null if none was scheduled
 * @throws StoreOpenError
 */
export async function applyRestore(fs: StoreFs, dir: string): Promise<RestoredBackup | null> {
  const intent = await readIntent(fs, dir);
  if (intent !== null) {
    return applyIntent(fs, dir, intent).catch((error: unknown) => {
      throw notFinished(dir, intent, error);
    });
  }
  // A staged copy with an empty data folder means that the restore's record was lost midway.
  if (!(await hasState(fs, dir)) && (await hasState(fs, stageFolder(dir)))) {
    throw unknownProgress(dir, `The file ${join(dir, RESTORE_FILE)} is gone`);
  }
  await removeStage(fs, dir);
  return null;
}

function notFinished(dir: string, { backup }: RestoreIntent, error: unknown): unknown {
  const code = errorCode(error);
  if (code === "") return error;
  const what = backup === null ? `Bringing ${dir} up to date` : `Restoring the backup ${backup} into ${dir}`;
  return new StoreOpenError(
    `${what} was begun and the disk refused to go on (${code}). Nothing is lost: make ` +
      "room on the disk, or give the folder back to this user, and start Postern again.",
    { cause: error },
  );
}

async function applyIntent(fs: StoreFs, dir: string, intent: RestoreIntent): Promise<RestoredBackup | null> {
  const stage = stageFolder(dir);
  if (intent.phase === "away") {
    // Without a staged copy the data stays in place.
    if (!(await hasState(fs, stage))) {
      await forgetRestore(fs, dir);
      return null;
    }
    await moveAll(fs, dir, join(dir, BACKUPS_FOLDER, intent.undo));
    await replaceWithJson(fs, join(dir, RESTORE_FILE), { ...intent, phase: "bring" });
  }
  if (!(await hasState(fs, stage)) && !(await hasState(fs, dir))) {
    throw unknownProgress(dir, `The folder ${stage} is gone`);
  }
  // The index belongs to other files, whose places would look like damage.
  for (const file of INDEX_FILES) await fs.remove(join(dir, file)).catch(() => undefined);
  await moveAll(fs, stage, dir);
  await forgetRestore(fs, dir);
  const { backup, undo } = intent;
  return backup === null ? null : { backup, undo };
}

/** Moves the files that are still there. What is moved is on the disk when this resolves. */
async function moveAll(fs: StoreFs, from: string, to: string): Promise<void> {
  for (const folder of DATA_FOLDERS) await fs.makeFolder(join(to, folder));
  // A file must not come into a folder that a power cut can take away.
  await fs.syncFolder(to);
  await fs.syncFolder(dirname(to));
  for (const file of await dataFiles(fs, from)) await fs.rename(join(from, file), join(to, file));
  await syncAll(fs, to);
  await syncAll(fs, from);
}

async function syncAll(fs: StoreFs, dir: string): Promise<void> {
  for (const folder of DATA_FOLDERS) {
    if ((await fs.list(dir)).includes(folder)) await fs.syncFolder(join(dir, folder));
  }
  await fs.syncFolder(dir);
}

import { dirname, join } from "node:path";
import * as z from "zod";
import { isTemporary, replaceWithJson } from "../disk/atomic-file.ts";
import { BACKUPS_FOLDER, copyFile } from "./backup.ts";
import { MARKER_FILE, StoreOpenError, TASKS_FOLDER, USAGE_FOLDER } from "../folder/data-folder.ts";
import { KEY_FILE } from "../data-key.ts";
import { SECRETS_FILE } from "../secrets.ts";
import type { StoreFs } from "../disk/store-fs.ts";

/**
 * Restoring a backup: its copy is made and checked beside the data while Postern runs (`stage`), and takes the place of
 * the data at the next start, before anything is opened (`apply`). The data that it replaces is moved, not copied, into a
 * backup of its own, so nothing that happened until the last moment is lost. Every step is a rename that a start which
 * was killed in the middle takes up again.
 */

const RESTORE_FILE = "restore.json";
const STAGE_FOLDER = "restoring";

const intentSchema = z.object({
  format: z.literal("postern-restore"),
  /** The backup that is restored. */
  backup: z.string(),
  /** The backup that the present data becomes. */
  undo: z.string(),
  /** `away`: the present data is still to be moved. `bring`: it is away, and the copy takes its place. */
  phase: z.enum(["away", "bring"]),
});
export type RestoreIntent = z.infer<typeof intentSchema>;

const stageFolder = (dir: string): string => join(dir, STAGE_FOLDER);

/** Files that belong together, by their paths in the data folder: what a backup holds. */
async function dataFiles(fs: StoreFs, dir: string): Promise<string[]> {
  const whole = new Set([SECRETS_FILE, KEY_FILE, MARKER_FILE]);
  const files = (await fs.list(dir)).filter((name) => /^(state|journal)\.\d+\.ndjson$/.test(name) || whole.has(name));
  for (const folder of [USAGE_FOLDER, TASKS_FOLDER]) {
    const names = await fs.list(join(dir, folder));
    files.push(...names.filter((name) => !isTemporary(name)).map((name) => join(folder, name)));
  }
  return files.toSorted();
}

/** Copies a backup to where it is checked and waits. What an earlier one left there is replaced. */
export async function copyToStage(fs: StoreFs, dir: string, backup: string): Promise<string> {
  const [from, to] = [join(dir, BACKUPS_FOLDER, backup), stageFolder(dir)];
  await fs.removeFolder(to);
  for (const folder of [USAGE_FOLDER, TASKS_FOLDER]) await fs.makeFolder(join(to, folder));
  for (const file of await dataFiles(fs, from)) await copyFile(fs, join(from, file), join(to, file), Infinity);
  await syncAll(fs, to);
  await fs.syncFolder(dir);
  return to;
}

/** From now on the next start restores what is staged. */
export async function intendRestore(fs: StoreFs, dir: string, intent: Omit<RestoreIntent, "format" | "phase">) {
  await replaceWithJson(fs, join(dir, RESTORE_FILE), { format: "postern-restore", ...intent, phase: "away" });
}

/** The next start restores nothing. */
export async function forgetRestore(fs: StoreFs, dir: string): Promise<void> {
  await fs.remove(join(dir, RESTORE_FILE));
  await fs.syncFolder(dir);
  await removeStage(fs, dir);
}

/** What cannot be removed now is at the next start; it is in nobody's way. */
const removeStage = (fs: StoreFs, dir: string): Promise<void> => fs.removeFolder(stageFolder(dir)).catch(() => {});

/** @throws StoreOpenError when what is there cannot be read */
export async function readIntent(fs: StoreFs, dir: string): Promise<RestoreIntent | null> {
  const path = join(dir, RESTORE_FILE);
  if ((await fs.size(path)) === null) return null;
  try {
    return intentSchema.parse(JSON.parse((await fs.readWhole(path)).toString("utf8")));
  } catch (error) {
    throw new StoreOpenError(
      `The file ${path} is damaged, so it is not known how far restoring a backup has come. The newest folder below ` +
        `${join(dir, BACKUPS_FOLDER)} has the data from before: copy its files into ${dir} and delete ${RESTORE_FILE}.`,
      { cause: error },
    );
  }
}

/**
 * Finishes a restore that was asked for. Call with the folder's lock, before the store is opened.
 * @returns what was restored; null when there was nothing to restore
 * @throws StoreOpenError
 */
export async function applyRestore(fs: StoreFs, dir: string): Promise<RestoreIntent | null> {
  const intent = await readIntent(fs, dir);
  if (intent === null) {
    await removeStage(fs, dir);
    return null;
  }
  const stage = stageFolder(dir);
  if (intent.phase === "away") {
    // Without a copy to put in its place, the data stays where it is.
    if (!(await dataFiles(fs, stage)).some((file) => /^(state|journal)\./.test(file))) {
      await forgetRestore(fs, dir);
      return null;
    }
    await moveAll(fs, dir, join(dir, BACKUPS_FOLDER, intent.undo));
    await replaceWithJson(fs, join(dir, RESTORE_FILE), { ...intent, phase: "bring" });
  }
  await moveAll(fs, stage, dir);
  await forgetRestore(fs, dir);
  return intent;
}

/** Moves the files that are still there. What is moved is on the disk when this resolves. */
async function moveAll(fs: StoreFs, from: string, to: string): Promise<void> {
  for (const folder of [USAGE_FOLDER, TASKS_FOLDER]) await fs.makeFolder(join(to, folder));
  // A file must not come into a folder that a power cut can take away.
  await fs.syncFolder(to);
  await fs.syncFolder(dirname(to));
  for (const file of await dataFiles(fs, from)) await fs.rename(join(from, file), join(to, file));
  await syncAll(fs, to);
  await syncAll(fs, from);
}

async function syncAll(fs: StoreFs, dir: string): Promise<void> {
  for (const folder of [USAGE_FOLDER, TASKS_FOLDER]) {
    if ((await fs.list(dir)).includes(folder)) await fs.syncFolder(join(dir, folder));
  }
  await fs.syncFolder(dir);
}

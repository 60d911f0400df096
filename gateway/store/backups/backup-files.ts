import { join } from "node:path";
import { KEY_FILE } from "../key-file.ts";
import { HISTORY_FOLDER, MARKER_FILE, TASKS_FOLDER, USAGE_FOLDER } from "../folder/data-folder.ts";
import { SECRETS_FILE } from "../secrets.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import type { BackupKind } from "../../contract/maintenance.ts";

const NAME = /^(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)-(\d{3})Z(?:-(automatic|before-restore|before-update))?$/;

/** The folder of a backup: when it was made, without what some file systems refuse in names, and why. */
export function backupName(at: number, kind: BackupKind): string {
  const time = new Date(at).toISOString().replaceAll(":", "").replace(".", "-");
  return kind === "manual" ? time : `${time}-${kind}`;
}

/** @returns null for what is no backup of ours, a copy that was not finished among it. */
export function readBackupName(name: string): { readonly at: number; readonly kind: BackupKind } | null {
  const [, day, hours, minutes, seconds, ms, kind] = NAME.exec(name) ?? [];
  if (day === undefined) return null;
  const at = Date.parse(`${day}T${hours}:${minutes}:${seconds}.${ms}Z`);
  return Number.isNaN(at) ? null : { at, kind: (kind as BackupKind | undefined) ?? "manual" };
}

/** Disk space is allocated in blocks of this many bytes. */
const BLOCK_BYTES = 4096;
const WHOLE = new Set([SECRETS_FILE, KEY_FILE, MARKER_FILE]);
const STATE = /^(?:state|journal)\.\d+\.ndjson$/;
const DELTA = /^delta\.\d+\.ndjson$/;

/** Folders of the data folder whose logs belong to it. */
export const DATA_FOLDERS = [USAGE_FOLDER, TASKS_FOLDER, HISTORY_FOLDER] as const;

/** Lists the files of a backup, by their paths in the data folder. */
export async function dataFiles(fs: StoreFs, dir: string): Promise<string[]> {
  const files = (await fs.list(dir)).filter((name) => STATE.test(name) || DELTA.test(name) || WHOLE.has(name));
  for (const folder of DATA_FOLDERS) {
    const names = (await fs.list(join(dir, folder))).filter((name) => name.endsWith(".ndjson"));
    files.push(...names.map((name) => join(folder, name)));
  }
  return files.toSorted();
}

/** Whether a folder has anything that the document could be read from. */
export async function hasState(fs: StoreFs, dir: string): Promise<boolean> {
  return (await fs.list(dir)).some((name) => STATE.test(name));
}

/** Returns the disk space that a copy of these files takes, in bytes. */
export async function getRoom(fs: StoreFs, dir: string, files: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const file of files) {
    const size = (await fs.size(join(dir, file))) ?? 0;
    bytes += Math.ceil(size / BLOCK_BYTES + 1) * BLOCK_BYTES;
  }
  return bytes;
}

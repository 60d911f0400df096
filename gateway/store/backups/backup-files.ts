import { join } from "node:path";
import { KEY_FILE } from "../data-key.ts";
import { MARKER_FILE, TASKS_FOLDER, USAGE_FOLDER } from "../folder/data-folder.ts";
import { SECRETS_FILE } from "../secrets.ts";
import type { StoreFs } from "../disk/store-fs.ts";

/** Disks give room in blocks. */
const BLOCK_BYTES = 4096;
const WHOLE = new Set([SECRETS_FILE, KEY_FILE, MARKER_FILE]);
const STATE = /^(?:state|journal)\.\d+\.ndjson$/;

/** Files that belong together, by their paths in the data folder: what a backup holds. */
export async function dataFiles(fs: StoreFs, dir: string): Promise<string[]> {
  const files = (await fs.list(dir)).filter((name) => STATE.test(name) || WHOLE.has(name));
  for (const folder of [USAGE_FOLDER, TASKS_FOLDER]) {
    const names = (await fs.list(join(dir, folder))).filter((name) => name.endsWith(".ndjson"));
    files.push(...names.map((name) => join(folder, name)));
  }
  return files.toSorted();
}

/** Whether a folder has anything that the document could be read from. */
export async function hasState(fs: StoreFs, dir: string): Promise<boolean> {
  return (await fs.list(dir)).some((name) => STATE.test(name));
}

/** What a copy of these files takes on the disk, in bytes. */
export async function roomFor(fs: StoreFs, dir: string, files: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const file of files) {
    const size = (await fs.size(join(dir, file))) ?? 0;
    bytes += Math.ceil(size / BLOCK_BYTES + 1) * BLOCK_BYTES;
  }
  return bytes;
}

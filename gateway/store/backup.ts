import { join } from "node:path";
import type { Clock } from "../lib/clock.ts";
import { MARKER_FILE, USAGE_FOLDER } from "./data-folder.ts";
import { KEY_FILE } from "./data-key.ts";
import { SECRETS_FILE } from "./secrets.ts";
import type { StoreFs } from "./store-fs.ts";

const COPY_BYTES = 256 * 1024;

/**
 * Copies everything that a start needs into `backups/<time>/`: states, journals, usage and sealed secrets. The copy is
 * a data folder of its own. Journals are copied after the states that they continue, so it opens like after a crash.
 */
export async function copyFolder(fs: StoreFs, dir: string, clock: Clock): Promise<{ path: string; bytes: number }> {
  const time = new Date(clock.now()).toISOString().replaceAll(":", "").replace(".", "-");
  const path = join(dir, "backups", time);
  await fs.makeFolder(join(path, USAGE_FOLDER));
  const names = (await fs.list(dir)).toSorted();
  const chosen = [
    ...names.filter((name) => /^state\.\d+\.ndjson$/.test(name)),
    ...names.filter((name) => /^journal\.\d+\.ndjson$/.test(name)),
    ...(await fs.list(join(dir, USAGE_FOLDER))).map((name) => join(USAGE_FOLDER, name)),
    ...[SECRETS_FILE, KEY_FILE, MARKER_FILE].filter((name) => names.includes(name)),
  ];
  let bytes = 0;
  for (const name of chosen) bytes += await copyFile(fs, join(dir, name), join(path, name));
  await fs.syncFolder(join(path, USAGE_FOLDER));
  await fs.syncFolder(path);
  await fs.syncFolder(join(dir, "backups"));
  await fs.syncFolder(dir);
  return { path, bytes };
}

async function copyFile(fs: StoreFs, from: string, to: string): Promise<number> {
  const source = await fs.open(from, "read");
  try {
    const target = await fs.open(to, "create");
    try {
      const chunk = Buffer.allocUnsafe(COPY_BYTES);
      let position = 0;
      for (;;) {
        const length = await source.read(chunk, position);
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

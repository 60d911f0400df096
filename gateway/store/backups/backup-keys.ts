import { join } from "node:path";
import { removeTemporary } from "../folder/data-folder.ts";
import { FILE, KEY_FILE, parseKeyFile, writeKeyFile } from "../key-file.ts";
import type { SealedKey } from "../key-file.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import { BACKUPS_FOLDER } from "./backup.ts";
import { STAGE_FOLDER } from "./restore.ts";

/**
 * Replaces plain-text data keys in backups, and in a staged restore, by the keychain's encrypted form. Other keys and
 * damaged files are unchanged.
 * @param moved replacement keys by their form in a key file
 * @throws the disk's error
 */
export async function moveKeysOfBackups(
  fs: StoreFs,
  dir: string,
  moved: ReadonlyMap<string, SealedKey>,
): Promise<void> {
  const names = await fs.list(join(dir, BACKUPS_FOLDER));
  for (const folder of [...names.map((name) => join(dir, BACKUPS_FOLDER, name)), join(dir, STAGE_FOLDER)]) {
    const path = join(folder, KEY_FILE);
    // A link is not followed, and what a kill left half written is not waited for.
    if ((await fs.check(folder))?.kind !== "folder" || (await fs.check(path))?.kind !== "file") continue;
    await removeTemporary(fs, folder);
    const keys = parseKeyFile(await fs.readWhole(path)) ?? [];
    const next = keys.map((key) => (key.backend === FILE ? (moved.get(key.sealed) ?? key) : key));
    if (next.some((key, index) => key !== keys[index])) await writeKeyFile(fs, path, next);
  }
}

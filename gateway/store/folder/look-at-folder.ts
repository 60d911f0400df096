import { constants } from "node:fs";
import { access, readdir, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { FolderFacts } from "../../core/diagnosis.ts";
import { KEY_FILE } from "../key-file.ts";
import { SECRETS_FILE } from "../secrets.ts";

/** Files of the data folder that only its owner may read. */
const SECRET_FILES = ["control.token", KEY_FILE, SECRETS_FILE];

/** Inspects a data folder from outside, with or without a Postern that has it open. */
export async function lookAtFolder(path: string): Promise<FolderFacts> {
  const exists = await stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (!exists) return { path, exists, writable: false, exposed: [], quarantined: [], freeBytes: null };
  const writable = await access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
  const exposed: string[] = [];
  for (const name of SECRET_FILES) {
    const file = join(path, name);
    const mode = await stat(file).then(
      (entry) => entry.mode,
      () => 0,
    );
    // Windows uses access control lists; its mode bits are meaningless.
    if (process.platform !== "win32" && (mode & 0o077) !== 0) exposed.push(file);
  }
  const quarantined = await readdir(join(path, "quarantine")).catch((): string[] => []);
  const disk = await statfs(path).catch(() => null);
  return { path, exists, writable, exposed, quarantined, freeBytes: disk === null ? null : disk.bavail * disk.bsize };
}

import { mkdir, readdir, stat } from "node:fs/promises";
import { MARKER_FILE, StoreOpenError, openError } from "./data-folder.ts";

/** Write permission of the group and of others. */
const OTHERS_WRITE = 0o022;

/**
 * Creates a missing data folder, accessible only by its owner. An existing one may have been created by another user,
 * who could read and replace everything in it: it must belong to this user, and if others may write to it, its mode is
 * restricted if it is empty or Postern's (`prepareFolder`), else it is refused. For a link, its target is checked.
 * @returns a warning for the user, or null
 * @throws StoreOpenError
 */
export async function makeFolder(dir: string): Promise<string | null> {
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    // Windows uses access control lists.
    const user = process.getuid?.();
    if (user === undefined) return null;
    const { uid, mode } = await stat(dir);
    if (uid !== user) throw new StoreOpenError(foreign(dir, uid, user));
    if ((mode & OTHERS_WRITE) === 0) return null;
    const names = await readdir(dir);
    if (names.length === 0) return null;
    const open = `The data folder ${dir} could be written by other users of this machine (mode ${(mode & 0o7777).toString(8)})`;
    if (names.includes(MARKER_FILE)) return `${open}. It is closed now; look whether its keys and limits are yours.`;
    throw new StoreOpenError(
      `${open} and holds other things, so keys in it would not be safe. Close it with chmod go-w, or ${CHOOSE}`,
    );
  } catch (error) {
    throw openError(dir, error);
  }
}

const CHOOSE = "choose another with --data-dir or POSTERN_DATA_DIR.";

function foreign(dir: string, uid: number, user: number): string {
  return (
    `The data folder ${dir} belongs to another user (id ${uid}; Postern runs as ${user}), who could read and exchange ` +
    `what is kept in it. Give it to this user with chown -R ${user}, start as the user that it belongs to, or ${CHOOSE}`
  );
}

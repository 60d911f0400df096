import { constants, open, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { MARKER_FILE, USAGE_FOLDER } from "../folder/data-folder.ts";
import { FILE, SECRET, findReferences } from "../../core/setup/references.ts";

/** No secret has more. */
const MOST_BYTES = 64 * 1024;

/**
 * Resolves the `${…}` of a configuration file: environment variables, and files such as those of `/run/secrets`,
 * without a final line break. Missing ones are omitted, and so are files in a data folder of Postern, because an
 * untrusted set-up could leak its keys.
 */
export async function referenceValues(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const name of findReferences(text)) {
    if (name.startsWith(SECRET)) continue;
    const value = name.startsWith(FILE) ? await getContent(name.slice(FILE.length)) : env[name];
    if (value !== undefined) values[name] = value;
  }
  return values;
}

async function getContent(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    if (await isInDataFolder(real)) return undefined;
    const file = await open(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
    try {
      // A second name of a file could be one in the data folder.
      const found = await file.stat();
      if (found.size > MOST_BYTES || found.nlink > 1 || !found.isFile()) return undefined;
      const { size } = found;
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
      return buffer.toString("utf8", 0, bytesRead).replace(/\r?\n$/, "");
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

async function isInDataFolder(path: string): Promise<boolean> {
  // A configuration file may be called as the marker is.
  const signs = [MARKER_FILE, USAGE_FOLDER];
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const found = await Promise.allSettled(signs.map((name) => stat(join(folder, name))));
    if (found.every(({ status }) => status === "fulfilled")) return true;
    if (folder === dirname(folder)) return false;
  }
}

import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import { skipByteOrderMark } from "./line.ts";
import type { StoreFile, StoreFs } from "./store-fs.ts";

/** Returns an unpredictable name next to `path`. Files that a crash leaves are removed at the next start. */
export function temporaryName(path: string): string {
  return `${path}.tmp-${randomBytes(8).toString("hex")}`;
}

export const isTemporary = (name: string): boolean => /\.tmp-[0-9a-f]+$/.test(name);

/**
 * Replaces a file atomically, also across a power cut: temporary file, sync, rename, folder sync. `fill` writes the
 * content; if it or the disk fails, the old file is unchanged and the error is rethrown.
 */
export async function replaceFile(fs: StoreFs, path: string, fill: (file: StoreFile) => Promise<void>): Promise<void> {
  const aside = temporaryName(path);
  try {
    const file = await fs.open(aside, "create");
    try {
      await fill(file);
      await file.sync();
    } finally {
      await file.close();
    }
    await fs.rename(aside, path);
  } catch (error) {
    await fs.remove(aside).catch(() => undefined);
    throw error;
  }
  await fs.syncFolder(dirname(path));
}

/** Parses the bytes of such a file, with or without a byte order mark. @throws SyntaxError */
export function parseJson(bytes: Buffer): unknown {
  return JSON.parse(bytes.toString("utf8", skipByteOrderMark(bytes))) as unknown;
}

export async function replaceWithJson(fs: StoreFs, path: string, value: unknown): Promise<void> {
  await replaceFile(fs, path, (file) => file.write(Buffer.from(`${JSON.stringify(value)}\n`), 0));
}

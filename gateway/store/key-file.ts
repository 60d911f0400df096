import { join } from "node:path";
import { crc32 } from "node:zlib";
import * as z from "zod";
import { parseJson, replaceWithJson } from "./disk/atomic-file.ts";
import type { StoreFs } from "./disk/store-fs.ts";

export const KEY_FILE = "secret.key";
/** The backend of keys that lie in their file as they are. */
export const FILE = "file";

const sealedKey = z.object({
  backend: z.string(),
  sealed: z.string(),
  /** Set on a key file made only because no keychain answered, and that no start without a desktop has used since. */
  awaits_keychain: z.boolean().optional(),
});
export type SealedKey = z.infer<typeof sealedKey>;

const keyFile = sealedKey.extend({
  /** Earlier keys that an unavailable keychain did not decrypt, kept for when it does. */
  earlier: z.array(sealedKey).optional(),
  /** CRC-32 of all keys, to distinguish a damaged file from a refusing keychain. */
  check: z.number().optional(),
});

const getCheck = (keys: readonly SealedKey[]): number =>
  crc32(keys.map(({ backend, sealed }) => `${backend}:${sealed}`).join("\n"));

/** @returns the keys in a file's bytes, newest first; null when the file is damaged. */
export function parseKeyFile(bytes: Buffer): readonly SealedKey[] | null {
  try {
    const { earlier = [], check, ...first } = keyFile.parse(parseJson(bytes));
    const keys = [first, ...earlier];
    return check === undefined || check === getCheck(keys) ? keys : null;
  } catch {
    return null;
  }
}

/** Whether a folder has a data key that lies in its file as it is. */
export async function hasBareKey(fs: Pick<StoreFs, "readWhole">, dir: string): Promise<boolean> {
  const bytes = await fs.readWhole(join(dir, KEY_FILE)).catch(() => null);
  // A damaged file may hold one.
  return bytes !== null && (parseKeyFile(bytes)?.some(({ backend }) => backend === FILE) ?? true);
}

/** Replaces the keys of the file. @param keys newest first, at least one */
export async function writeKeyFile(fs: StoreFs, path: string, keys: readonly SealedKey[]): Promise<void> {
  const [first, ...earlier] = keys;
  await replaceWithJson(fs, path, { ...first, ...(earlier.length === 0 ? {} : { earlier }), check: getCheck(keys) });
}

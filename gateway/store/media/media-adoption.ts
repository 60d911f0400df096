import { join } from "node:path";
import type { MediaEntry } from "../../contract/media.ts";
import { findMediaType } from "../../core/media/media-type.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import { measureContainer } from "./media-container.ts";
import { hashFile } from "./media-files.ts";
import { isReadWhole, measureMedia } from "./media-measure.ts";
import { getShard } from "./sidecar.ts";
import type { Sidecar } from "./sidecar.ts";

/** Enough for the headers of nearly every file; there may be many of them. */
const HEAD_BYTES = 64 * 1024;

/** Returns the list place of a result saved at this time. */
export const getPlace = (at: number): number => Math.max(0, Math.min(at, 8_640_000_000_000)) * 1_000;

/**
 * Builds a sidecar from a file alone: type and size from its bytes, time from its modification date. Its origin is
 * unknown.
 * @param path path of the file
 * @returns null for anything but a file of a stored type
 * @throws the disk's error
 */
export async function describeFile(fs: StoreFs, path: string, id: string, extension: string): Promise<Sidecar | null> {
  const found = await fs.check(path);
  if (found?.kind !== "file") return null;
  const { bytes, changedAt: at } = found;
  const type = findMediaType(await readHead(fs, path, bytes));
  if (type === null) return null;
  const { width, height, durationMs } = isReadWhole(type, HEAD_BYTES, bytes)
    ? await measureContainer({ path, extension: type.extension, bytes })
    : measureMedia(type, await readHead(fs, path, bytes), bytes);
  const sha256 = await hashFile(fs, path);
  const measures = { bytes, sha256, width, height, duration_ms: durationMs };
  const entry: MediaEntry = { id, at, kind: type.kind, type: type.type, ...measures, origin: null };
  return { entry, extension, place: getPlace(at) };
}

async function readHead(fs: StoreFs, path: string, bytes: number): Promise<Buffer> {
  const head = Buffer.alloc(Math.min(HEAD_BYTES, bytes));
  const file = await fs.open(path, "read");
  try {
    await file.read(head, 0);
    return head;
  } finally {
    await file.close();
  }
}

/** @param dir the library's folder @param names of the media files of a result */
export async function describeResult(
  fs: StoreFs,
  dir: string,
  id: string,
  names: readonly string[],
): Promise<Sidecar | null> {
  for (const name of names) {
    const extension = name.slice(name.lastIndexOf(".") + 1);
    const sidecar = await describeFile(fs, join(dir, getShard(id), name), id, extension);
    if (sidecar !== null) return sidecar;
  }
  return null;
}

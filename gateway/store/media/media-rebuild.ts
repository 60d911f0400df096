import { join } from "node:path";
import { findMediaType } from "../../core/media/media-type.ts";
import { measureContainer } from "./media-container.ts";
import { isReadWhole, measureMedia } from "./media-measure.ts";
import type { MediaLine } from "./media-lines.ts";
import type { StoreFs } from "../disk/store-fs.ts";

/** Enough for the headers of nearly every file; there may be many of them. */
const HEAD_BYTES = 64 * 1024;
/** Files that are looked at together. */
const TOGETHER = 8;

export type AddedMedia = Extract<MediaLine, { readonly op: "add" }>;

export interface RebuiltMedia {
  /** Oldest first. */
  readonly lines: readonly AddedMedia[];
  /** Files that cannot be read, or whose type the library does not keep. They stay where they are. */
  readonly left: number;
}

/**
 * Entries for the files that nothing names any more: what they are by their first bytes, since when by the date of the
 * file, their hash by their name. What they came from is not known.
 * @param dir the library's folder
 */
export async function rebuildMedia(
  fs: StoreFs,
  dir: string,
  isNamed: (sha256: string) => boolean,
): Promise<RebuiltMedia> {
  const lines: AddedMedia[] = [];
  let left = 0;
  for await (const { folder, names } of filesOf(fs, dir)) {
    const lost = names.filter((name) => !isNamed(name.slice(0, HASH_DIGITS)));
    for (let start = 0; start < lost.length; start += TOGETHER) {
      const some = lost.slice(start, start + TOGETHER);
      const found = await Promise.all(some.map((name) => rebuildOne(fs, folder, name).catch(() => null)));
      for (const line of found) {
        if (line === null) left += 1;
        else lines.push(line);
      }
    }
  }
  return { lines: lines.toSorted((one, other) => one.entry.at - other.entry.at), left };
}

/** Whether there are files of results. @param dir the library's folder */
export async function hasMediaFiles(fs: StoreFs, dir: string): Promise<boolean> {
  for await (const { names } of filesOf(fs, dir)) if (names.length > 0) return true;
  return false;
}

/** The library's files, folder by folder. Links are not followed. */
async function* filesOf(fs: StoreFs, dir: string): AsyncGenerator<{ folder: string; names: string[] }> {
  for (const shard of (await fs.list(dir)).filter((name) => /^[0-9a-f]{2}$/.test(name))) {
    const folder = join(dir, shard);
    if ((await fs.check(folder))?.kind !== "folder") continue;
    yield { folder, names: (await fs.list(folder)).filter((name) => FILE.test(name) && name.startsWith(shard)) };
  }
}

const HASH_DIGITS = 64;
const FILE = /^[0-9a-f]{64}\.[a-z0-9]{2,5}$/;

/** Derives the id from the hash, so that a file keeps its id however often it is rebuilt. */
const idOf = (sha256: string): string => `media_${sha256.slice(0, 16)}`;

async function rebuildOne(fs: StoreFs, folder: string, name: string): Promise<AddedMedia | null> {
  const path = join(folder, name);
  const found = await fs.check(path);
  if (found?.kind !== "file") return null;
  const { bytes, changedAt } = found;
  const head = Buffer.alloc(Math.min(HEAD_BYTES, bytes));
  const file = await fs.open(path, "read");
  try {
    await file.read(head, 0);
  } finally {
    await file.close();
  }
  const type = findMediaType(head);
  if (type === null) return null;
  const { width, height, durationMs } = isReadWhole(type, head.length, bytes)
    ? await measureContainer({ path, extension: type.extension, bytes })
    : measureMedia(type, head, bytes);
  const sha256 = name.slice(0, HASH_DIGITS);
  return {
    op: "add",
    extension: name.slice(HASH_DIGITS + 1),
    entry: {
      id: idOf(sha256),
      at: changedAt,
      kind: type.kind,
      type: type.type,
      bytes,
      sha256,
      width,
      height,
      duration_ms: durationMs,
      origin: null,
    },
  };
}

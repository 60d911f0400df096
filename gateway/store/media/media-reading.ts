import { join } from "node:path";
import { LineLog } from "../disk/line-log.ts";
import type { LinePlace, LogDamage } from "../disk/line-log.ts";
import { errorCode } from "../disk/store-fs.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import { MEDIA_COPY, MEDIA_LOG } from "./media-copy.ts";
import { MediaIndex } from "./media-index.ts";
import { asMediaLine, isForeign } from "./media-lines.ts";

const NAME = "media library's index";

/** Result of reading the library's log. */
export interface Replay {
  readonly log: LineLog;
  readonly index: MediaIndex;
  readonly damage: LogDamage | null;
  /** Lines that are another file's. */
  readonly foreign: number;
  /** Up to the end of the last whole line. */
  readonly bytes: number;
  /** Why the disk does not read it, or null. */
  readonly unreadable: string | null;
}

/** Reads the log, or its copy. @param dir the library's folder @throws the disk's error */
export async function replayOnce(fs: StoreFs, dir: string, name: string): Promise<Replay> {
  const log = new LineLog(fs, join(dir, name), { name: NAME });
  const index = new MediaIndex();
  const read = { bytes: 0, foreign: 0 };
  const take = (value: unknown, place: LinePlace): void => {
    read.bytes = place.offset + place.length + 1;
    if (isForeign(value)) read.foreign += 1;
    // A line of a kind that this version does not know is kept.
    const line = asMediaLine(value);
    if (line !== undefined) index.apply(line, place);
  };
  const damage = await log.replay(take);
  return { log, index, damage, ...read, unreadable: null };
}

/**
 * Treats a part of the disk that cannot be read any more as damage if the second copy has everything. A missing permission
 * to read is no damage, and content that only the log has may be readable later.
 */
export async function unreadable(fs: StoreFs, dir: string, error: unknown): Promise<Replay> {
  const [size = null, copied = null] = await Promise.all(
    [MEDIA_LOG, MEDIA_COPY].map((name) => fs.size(join(dir, name))),
  );
  if (errorCode(error) !== "EIO" || (copied ?? 0) < (size ?? 0)) throw error;
  const log = new LineLog(fs, join(dir, MEDIA_LOG), { name: NAME });
  return { log, index: new MediaIndex(), damage: null, foreign: 0, bytes: 0, unreadable: "EIO" };
}

/** The one of the two that has more, for reading. @throws the disk's error when it reads neither */
export async function fullerOf(fs: StoreFs, dir: string): Promise<Replay> {
  const copied = await replayOnce(fs, dir, MEDIA_COPY).catch(() => null);
  if (copied === null) return replayOnce(fs, dir, MEDIA_LOG);
  const own = await replayOnce(fs, dir, MEDIA_LOG).catch(() => copied);
  return copied.index.size > own.index.size ? copied : own;
}

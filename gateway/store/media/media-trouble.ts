import { join } from "node:path";
import { describeDamage, cutStretches } from "../damage.ts";
import type { Damage } from "../damage.ts";
import { skipByteOrderMark } from "../disk/line.ts";
import type { LogDamage } from "../disk/line-log.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import { MEDIA_LOG, hasLine, lastLineOf } from "./media-copy.ts";
import type { LastLine } from "./media-copy.ts";
import { hasMediaFiles } from "./media-rebuild.ts";
import type { Replay } from "./media-reading.ts";

/** A kill or a power cut leaves at most one write half done. */
const MOST_UNWRITTEN_BYTES = 256 * 1024;
const CARRIAGE_RETURN = 0x0d;
export const LIST = `The list of the media library (media/${MEDIA_LOG})`;

/**
 * Describes the damage of the log in a sentence; null when it is intact, except for an end that a kill or a power cut may
 * have left half written.
 * @param dir the library's folder @param last the last whole line of its copy
 */
export async function troubleOf(
  fs: StoreFs,
  dir: string,
  found: Replay,
  last: LastLine | null,
): Promise<string | null> {
  const path = join(dir, MEDIA_LOG);
  const words: string[] = [];
  if (found.unreadable !== null) words.push(`the disk cannot read it (${found.unreadable})`);
  if (found.damage !== null && !isUnwritten(found.damage, found.bytes)) words.push(wordsFor(found.damage).words);
  if (found.foreign > 0) words.push(`${found.foreign} of its lines are another file's`);
  // The copy is never ahead of the log.
  if (last !== null && words.length === 0 && !(await hasLine(fs, path, last)) && !(await endsLike(fs, path, last))) {
    const size = (await fs.size(path)) ?? 0;
    words.push(size < last.offset + last.length ? "its end is missing" : "it is not as it was left");
  }
  // The first line comes before the first file.
  if (found.bytes === 0 && words.length === 0 && (await hasMediaFiles(fs, dir))) words.push("it is empty");
  if (words.length === 0) return null;
  return (await fs.size(path)) === null ? `${LIST} is gone.` : `${LIST} is damaged: ${words.join(", ")}.`;
}

/** Whether the log ends with the same line, and as we write it: then it is the copy of which the bytes were moved. */
async function endsLike(fs: StoreFs, path: string, last: LastLine): Promise<boolean> {
  const own = await lastLineOf(fs, path);
  if (own === null || own.bytes.at(-1) === CARRIAGE_RETURN || (await startsWithMark(fs, path))) return false;
  return last.bytes.at(-1) === CARRIAGE_RETURN
    ? own.bytes.equals(last.bytes.subarray(0, -1))
    : own.bytes.equals(last.bytes);
}

async function startsWithMark(fs: StoreFs, path: string): Promise<boolean> {
  const file = await fs.open(path, "read");
  try {
    const beginning = Buffer.alloc(3);
    await file.read(beginning, 0);
    return skipByteOrderMark(beginning) > 0;
  } finally {
    await file.close();
  }
}

/** Whether all damage is at the end, after whole lines, and no more than one write. */
const isUnwritten = ({ ranges, bytes }: LogDamage, end: number): boolean =>
  end > 0 && bytes.length <= MOST_UNWRITTEN_BYTES && ranges.every(({ start }) => start >= end);

/** Describes where the bytes that are no lines went. */
export const wordsFor = ({ ranges, bytes }: LogDamage): Damage =>
  describeDamage(cutStretches(bytes, ranges), ranges.at(-1)?.torn === true);

import { join } from "node:path";
import type { BadRange } from "../disk/line.ts";
import { LineLog } from "../disk/line-log.ts";
import type { LogDamage } from "../disk/line-log.ts";
import { isLive, isMostlyDead, rangeOfLine } from "./media-compact.ts";
import { MediaIndex } from "./media-index.ts";
import { asMediaLine } from "./media-lines.ts";
import type { Quarantine } from "../quarantine.ts";
import { errorCode } from "../disk/store-fs.ts";
import type { StoreFs } from "../disk/store-fs.ts";

/** The library's log: what it holds and what it came from. */
export const MEDIA_LOG = "index.ndjson";

export interface ReplayedMedia {
  readonly log: LineLog;
  readonly index: MediaIndex;
  /** Why nothing may be written, or null. */
  readonly frozen: string | null;
}

const NOT_ASIDE =
  "The media library's index is damaged and could not be set aside, so nothing is saved on this start. Make room on " +
  "the disk and start Postern again.";

/**
 * Reads the library's log into memory. Damaged bytes are set aside and then taken out of the log; while that cannot be
 * done, what is whole can be read and nothing is written. A log of which most is about deleted results is written anew.
 * @param dir the library's folder
 * @throws the disk's error when the log cannot be read
 */
export async function replayMedia(
  fs: StoreFs,
  dir: string,
  quarantine: Quarantine,
  readOnly: boolean,
): Promise<ReplayedMedia> {
  const found = await replayOnce(fs, dir);
  const { log, index, damage } = found;
  if (damage === null) {
    if (readOnly) return { log, index, frozen: NEWER };
    return isMostlyDead(index, found.bytes) ? compact(fs, dir, found) : { log, index, frozen: null };
  }
  const aside = await setAside(damage, quarantine);
  if (readOnly) return { log, index, frozen: NEWER };
  if (!aside) return { log, index, frozen: NOT_ASIDE };
  let frozen: string | null = null;
  try {
    await log.heal(damage.ranges);
  } catch (error) {
    frozen = notHealed(error);
    quarantine.tell("damaged", frozen, null, MEDIA_LOG);
  }
  await log.close();
  // Whether or not it was healed: every place may have moved.
  const healed = await replayOnce(fs, dir);
  return { log: healed.log, index: healed.index, frozen };
}

const NEWER = "The data folder was written by a newer version of Postern.";

const notHealed = (error: unknown): string =>
  "The media library's index is damaged and could not be written anew, so nothing is saved on this start " +
  `(${errorCode(error) || String(error)}). Make room on the disk and start Postern again.`;

interface Replay {
  readonly log: LineLog;
  readonly index: MediaIndex;
  readonly damage: LogDamage | null;
  /** Up to the end of the last whole line. */
  readonly bytes: number;
}

async function replayOnce(fs: StoreFs, dir: string): Promise<Replay> {
  const log = new LineLog(fs, join(dir, MEDIA_LOG), { name: "media library's index" });
  const index = new MediaIndex();
  let bytes = 0;
  const damage = await log.replay((value, place) => {
    bytes = place.offset + place.length + 1;
    // A line of a kind that this version does not know is left where it is.
    const line = asMediaLine(value);
    if (line !== undefined) index.apply(line, place);
  });
  return { log, index, damage, bytes };
}

/** Writes the log anew without what deletions left in it. When the disk refuses, it stays as it was. */
async function compact(fs: StoreFs, dir: string, { log, index }: Replay): Promise<ReplayedMedia> {
  const dead: BadRange[] = [];
  try {
    await log.replay((value, place) => {
      if (isLive(value, place, index)) return;
      const range = rangeOfLine(place);
      const last = dead.at(-1);
      if (last?.end === range.start) dead[dead.length - 1] = { ...last, end: range.end };
      else dead.push(range);
    });
    await log.heal(dead);
  } catch {
    // At the next start, then.
  }
  await log.close();
  // Whether or not it was written anew: every place may have moved.
  const again = await replayOnce(fs, dir);
  return { log: again.log, index: again.index, frozen: null };
}

/** @returns whether the damaged bytes are safe elsewhere, so that they may go from the log. */
async function setAside({ ranges, bytes }: LogDamage, quarantine: Quarantine): Promise<boolean> {
  const torn = ranges.length === 1 && ranges[0]?.torn === true;
  return quarantine.keep(
    `media-${MEDIA_LOG}.from-${ranges[0]?.start ?? 0}`,
    bytes,
    torn ? "torn" : "damaged",
    torn
      ? `The last line of media/${MEDIA_LOG} was not written to its end and was cut off.`
      : `${ranges.length} damaged parts of media/${MEDIA_LOG} could not be read; all other results are listed.`,
  );
}

import { MediaIndex } from "./media-index.ts";
import { asMediaLine } from "./media-lines.ts";
import { MEDIA_LOG, MediaLog } from "./media-log.ts";
import type { MediaLogDamage } from "./media-log.ts";
import type { Quarantine } from "./quarantine.ts";
import { errorCode } from "./store-fs.ts";
import type { StoreFs } from "./store-fs.ts";

export interface ReplayedMedia {
  readonly log: MediaLog;
  readonly index: MediaIndex;
  /** Why nothing may be written, or null. */
  readonly frozen: string | null;
}

const NOT_ASIDE =
  "The media library's index is damaged and could not be set aside, so nothing is saved on this start. Make room on " +
  "the disk and start Postern again.";

/**
 * Reads the library's log into memory. Damaged bytes are set aside and then taken out of the log; while that cannot be
 * done, what is whole can be read and nothing is written.
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
  if (damage === null) return { log, index, frozen: readOnly ? NEWER : null };
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
  return { ...(await replayOnce(fs, dir)), frozen };
}

const NEWER = "The data folder was written by a newer version of Postern.";

const notHealed = (error: unknown): string =>
  "The media library's index is damaged and could not be written anew, so nothing is saved on this start " +
  `(${errorCode(error) || String(error)}). Make room on the disk and start Postern again.`;

async function replayOnce(
  fs: StoreFs,
  dir: string,
): Promise<{ log: MediaLog; index: MediaIndex; damage: MediaLogDamage | null }> {
  const log = new MediaLog(fs, dir);
  const index = new MediaIndex();
  const damage = await log.replay((value, place) => {
    // A line of a kind that this version does not know is left where it is.
    const line = asMediaLine(value);
    if (line !== undefined) index.apply(line, place);
  });
  return { log, index, damage };
}

/** @returns whether the damaged bytes are safe elsewhere, so that they may go from the log. */
async function setAside({ ranges, bytes }: MediaLogDamage, quarantine: Quarantine): Promise<boolean> {
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

import { join } from "node:path";
import { frame } from "../disk/line.ts";
import type { BadRange } from "../disk/line.ts";
import type { LineLog, LogDamage, LinePlace } from "../disk/line-log.ts";
import { replaceFile } from "../disk/atomic-file.ts";
import { MEDIA_COPY, MEDIA_LOG, MediaCopy, lastLineOf } from "./media-copy.ts";
import type { LastLine } from "./media-copy.ts";
import type { MediaIndex } from "./media-index.ts";
import { asMediaLine } from "./media-lines.ts";
import type { MediaLine } from "./media-lines.ts";
import { fullerOf, replayOnce, unreadable } from "./media-reading.ts";
import type { Replay } from "./media-reading.ts";
import { recoverMedia } from "./media-recovery.ts";
import type { RecoveredMedia } from "./media-recovery.ts";
import { LIST, troubleOf, wordsFor } from "./media-trouble.ts";
import type { Quarantine } from "../quarantine.ts";
import type { StoreFs } from "../disk/store-fs.ts";

/** Min dead bytes for which rewriting a log is worthwhile. */
const LEAST_DEAD_BYTES = 1024 * 1024;

/** Whether most of a log of so many bytes is about what is not there any more. */
const isMostlyDead = ({ deadBytes }: MediaIndex, bytes: number): boolean =>
  deadBytes > LEAST_DEAD_BYTES && deadBytes > bytes / 2;

/** Whether a line must stay in the log, by the list that the whole log makes. What is not known stays. */
function isLive(value: unknown, { offset }: LinePlace, index: MediaIndex): boolean {
  const line = asMediaLine(value);
  switch (line?.op) {
    case undefined:
    case "begun":
      return true;
    case "add":
      return index.get(line.entry.id)?.place.offset === offset;
    case "pending":
      return index.pending.has(line.pending.id);
    case "drop":
    case "removed":
      return false;
    case "missing":
    case "found":
    case "poster":
      return index.get(line.id) !== undefined;
    case "deleted":
    case "restored":
      // Their order decides which of them was last: they stay or go together.
      return line.ids.some((id) => index.get(id) !== undefined);
  }
}

/** The line with its newline, as a range to be left out. */
const rangeOfLine = ({ offset, length }: LinePlace): BadRange => ({
  start: offset,
  end: offset + length + 1,
  torn: false,
});

export interface ReplayedMedia {
  readonly log: LineLog;
  readonly index: MediaIndex;
  /** Up to the end of the last whole line. */
  readonly bytes: number;
  /** Null while nothing may be written. */
  readonly copy: MediaCopy | null;
  /** Why nothing may be written, or null. */
  readonly frozen: string | null;
}

const NEWER = "The data folder was written by a newer version of Postern.";
const AGAIN = "so nothing is saved on this start. Make room on the disk and start Postern again.";

/**
 * Reads the library's log into memory. What is damaged is set aside as it is, and the log is made again of what is left of
 * it, of its second copy, and of the files; while that cannot be done, what is whole can be read and nothing is written. A
 * log of which most is about deleted results is rewritten.
 * @param dir the library's folder
 * @throws the disk's error when the log cannot be read
 */
export async function replayMedia(
  fs: StoreFs,
  dir: string,
  quarantine: Quarantine,
  readOnly: boolean,
): Promise<ReplayedMedia> {
  const found = await replayOnce(fs, dir, MEDIA_LOG).catch((error: unknown) => unreadable(fs, dir, error));
  const last = await lastLineOf(fs, join(dir, MEDIA_COPY)).catch(() => null);
  const trouble = await troubleOf(fs, dir, found, last);
  if (readOnly) {
    if (trouble !== null) quarantine.tell("damaged", trouble, null, MEDIA_LOG);
    return { ...(trouble === null ? found : await fullerOf(fs, dir)), copy: null, frozen: NEWER };
  }
  if (trouble !== null) return recover(fs, dir, quarantine, trouble);
  if (found.damage !== null) {
    if (!(await cutTail(found.log, found.damage, quarantine)))
      return { ...found, copy: null, frozen: `The end of ${LIST} could not be set aside, ${AGAIN}` };
    await found.log.close();
    // Every place may have moved.
    return follow(fs, dir, quarantine, await replayOnce(fs, dir, MEDIA_LOG), last);
  }
  if (isMostlyDead(found.index, found.bytes)) return compact(fs, dir, quarantine, found);
  return follow(fs, dir, quarantine, found, last);
}

/** Sets aside what a kill or a power cut left of the last lines, and cuts it off. @returns false when the disk refused */
async function cutTail(log: LineLog, damage: LogDamage, quarantine: Quarantine): Promise<boolean> {
  const { torn, words } = wordsFor(damage);
  const what = torn
    ? `The last line of media/${MEDIA_LOG} was not written to its end`
    : `Of media/${MEDIA_LOG}, ${words}`;
  const name = `media-${MEDIA_LOG}.from-${damage.ranges[0]?.start ?? 0}`;
  return (
    (await quarantine.keep(name, damage.bytes, "torn", `${what} and was cut off.`)) &&
    log.heal(damage.ranges).then(
      () => true,
      () => false,
    )
  );
}

/** Makes the log again. At every moment one of the two, or what was set aside, has everything. */
async function recover(fs: StoreFs, dir: string, quarantine: Quarantine, trouble: string): Promise<ReplayedMedia> {
  const path = join(dir, MEDIA_LOG);
  const frozen = async (): Promise<ReplayedMedia> => {
    const why = `could not be made again, ${AGAIN}`;
    quarantine.tell("damaged", `${trouble} It ${why}`, null, MEDIA_LOG);
    return { ...(await fullerOf(fs, dir)), copy: null, frozen: `${LIST} ${why}` };
  };
  const recovered = await recoverMedia(fs, dir).catch(() => null);
  if (recovered === null) return frozen();
  const message = `${trouble} ${outcome(recovered)}`;
  if ((await fs.check(path)) === null) quarantine.tell("missing", message, null, MEDIA_LOG);
  else if (!(await quarantine.move(join("media", MEDIA_LOG), "damaged", message))) return frozen();
  try {
    await copyBack(fs, dir);
  } catch {
    return frozen();
  }
  const last = await lastLineOf(fs, join(dir, MEDIA_COPY));
  return follow(fs, dir, quarantine, await replayOnce(fs, dir, MEDIA_LOG), last);
}

function outcome({ fromCopy, fromFiles, left }: RecoveredMedia): string {
  const sentences = [
    ...(fromCopy > 0 ? [`Its second copy still had ${fromCopy} of the results.`] : []),
    ...(fromFiles > 0 ? [`Of ${fromFiles} results only the files are left: what they came from is not known.`] : []),
    ...(left > 0 ? [`${left} files of the library cannot be shown, and stay where they are.`] : []),
  ];
  return sentences.length === 0 ? "Every result is listed all the same." : sentences.join(" ");
}

/** The second copy, as the log. */
async function copyBack(fs: StoreFs, dir: string): Promise<void> {
  const copy = await fs.open(join(dir, MEDIA_COPY), "read");
  try {
    await replaceFile(fs, join(dir, MEDIA_LOG), async (file) => {
      const bytes = Buffer.allocUnsafe(COPY_BYTES);
      for (let at = 0, length = COPY_BYTES; length === COPY_BYTES; at += length) {
        length = await copy.read(bytes, at);
        await file.write(bytes.subarray(0, length), at);
      }
    });
  } finally {
    await copy.close();
  }
}

/**
 * Begins a log with a line that comes before the first file: files next to an empty log are what is left of a lost one.
 * A disk that refuses this will refuse what comes next in words.
 * @returns the end of the line
 */
async function begin(fs: StoreFs, dir: string): Promise<number> {
  const line = Buffer.from(frame(JSON.stringify({ op: "begun" } satisfies MediaLine)));
  try {
    await replaceFile(fs, join(dir, MEDIA_LOG), (file) => file.write(line, 0));
  } catch {
    return 0;
  }
  return line.length;
}

const COPY_BYTES = 256 * 1024;

/** Writes the log again without what deletions left in it. When the disk refuses, it stays as it was. */
async function compact(fs: StoreFs, dir: string, quarantine: Quarantine, { log, index }: Replay) {
  const dead: BadRange[] = [];
  try {
    await log.replay((value, place) => {
      if (isLive(value, place, index)) return;
      const range = rangeOfLine(place);
      const last = dead.at(-1);
      if (last?.end === range.start) dead[dead.length - 1] = { ...last, end: range.end };
      else dead.push(range);
    });
    // A copy of what is no more in the log would look like what the log has lost.
    await fs.remove(join(dir, MEDIA_COPY));
    await log.heal(dead);
  } catch {
    // At the next start, then.
  }
  await log.close();
  // Whether or not it was rewritten: every place may have moved.
  return follow(fs, dir, quarantine, await replayOnce(fs, dir, MEDIA_LOG), null);
}

/** @param last of the copy */
async function follow(
  fs: StoreFs,
  dir: string,
  quarantine: Quarantine,
  { log, index, bytes }: Replay,
  last: LastLine | null,
): Promise<ReplayedMedia> {
  const message = `The second copy of the list of the media library (media/${MEDIA_COPY}) was damaged and is made anew.`;
  const copy = new MediaCopy({
    fs,
    dir,
    wholeTo: last === null ? 0 : last.offset + last.length + 1,
    setAside: () => quarantine.move(join("media", MEDIA_COPY), "damaged", message),
  });
  const end = bytes === 0 ? await begin(fs, dir) : bytes;
  copy.follow(end);
  return { log, index, copy, bytes: end, frozen: null };
}

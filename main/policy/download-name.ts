/** A download that has ended, as a page hears of it; renderer/bridge.ts has the same. */
export interface DownloadedFile {
  readonly id: number;
  readonly name: string;
  readonly folder: string;
  readonly saved: boolean;
}

/** Letters of a name before its ending: at three bytes each they fit every file system, with a number after them. */
const MOST_LETTERS = 70;
const LONGEST_ENDING = 12;

/** Characters that some file system refuses, that show as nothing, or that turn a name around. */
const UNFIT = /[\p{C}\p{Zl}\p{Zp}<>:"/\\|?*]+/gu;
/** Devices of Windows, with any ending. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/**
 * Under which name a file is saved: the one that was suggested, as far as a file may have it, with a number where there
 * is one of that name. Nothing is written over.
 * @param suggested as the page or the gateway calls it
 * @param isTaken whether the folder has a file of a name
 */
export function formatDownloadName(suggested: string, isTaken: (name: string) => boolean): string {
  // A dot in front hides a file, one at the end is lost on Windows.
  const clean = suggested.replace(UNFIT, "-").replace(/^[.\s-]+|[.\s]+$/gu, "");
  const dot = clean.lastIndexOf(".");
  const hasEnding = dot > 0 && clean.length - dot <= LONGEST_ENDING;
  const ending = hasEnding ? clean.slice(dot) : "";
  const letters = Array.from(hasEnding ? clean.slice(0, dot) : clean).slice(0, MOST_LETTERS);
  const text = letters.join("").trim();
  const stem = text === "" ? "download" : DEVICE.test(text.split(".")[0] ?? "") ? `${text}-` : text;
  for (let number = 0; ; number += 1) {
    const name = number === 0 ? `${stem}${ending}` : `${stem} (${number})${ending}`;
    if (!isTaken(name)) return name;
  }
}

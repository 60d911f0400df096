/** A finished download, as reported to a page; renderer/bridge.ts has the same. */
export interface DownloadedFile {
  readonly id: number;
  readonly name: string;
  readonly folder: string;
  readonly saved: boolean;
}

/** Max letters of a name before its extension: at three bytes each they fit every file system, plus a number. */
const MOST_LETTERS = 70;
const LONGEST_ENDING = 12;

/** Characters that some file system refuses, or that are invisible or reverse text. */
const UNFIT = /[\p{C}\p{Zl}\p{Zp}<>:"/\\|?*]+/gu;
/** Devices of Windows, with any ending. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/**
 * Returns the name for a saved file: the suggested one, sanitized, with a number if it exists. Nothing is overwritten.
 * @param suggested name from the page or the gateway
 * @param isTaken tells whether the folder has a file of this name
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

import { asMediaLine } from "./media-lines.ts";
import type { MediaIndex } from "./media-index.ts";
import type { BadRange } from "../disk/line.ts";
import type { LinePlace } from "../disk/line-log.ts";

/** With less in it than this a log is not worth writing anew. */
const LEAST_DEAD_BYTES = 1024 * 1024;

/** Whether most of a log of so many bytes is about what is not there any more. */
export const isMostlyDead = ({ deadBytes }: MediaIndex, bytes: number): boolean =>
  deadBytes > LEAST_DEAD_BYTES && deadBytes > bytes / 2;

/** Whether a line must stay in the log, by the list that the whole log makes. What is not known stays. */
export function isLive(value: unknown, { offset }: LinePlace, index: MediaIndex): boolean {
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
      // Which of them was the last word is told by their order: they stay or go together.
      return line.ids.some((id) => index.get(id) !== undefined);
  }
}

/** The line with its newline, as a range to be left out. */
export const rangeOfLine = ({ offset, length }: LinePlace): BadRange => ({
  start: offset,
  end: offset + length + 1,
  torn: false,
});

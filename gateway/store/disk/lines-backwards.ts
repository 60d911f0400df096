import { NEWLINE, measureHole, unframe } from "./line.ts";
import { LONGEST_LINE } from "./line-reader.ts";
import type { StoreFile } from "./store-fs.ts";

const READ_BYTES = 64 * 1024;

/** A condition for lines: contained bytes, or a function that checks the line's bytes. */
export type Word = Buffer | ((bytes: Buffer) => boolean);

export interface PassedLine {
  /** Whether it contains the words. */
  readonly has: boolean;
  /** Bytes that were read for it. */
  readonly read: number;
  /** Greater than one for a range without any of the words. */
  readonly count: number;
  /** Makes the line out, or the first of those bytes; undefined when it is not whole. */
  readonly value: () => unknown;
}

/**
 * Yields lines from `end` back to the start of a file. Chunks without any of the words are skipped as a whole, so that
 * few lines are parsed.
 * @param range `longest` in bytes; `begin`: line start at which to stop
 */
export async function* linesBackwards(
  file: StoreFile,
  end: number,
  words: readonly Word[] = [],
  { longest = LONGEST_LINE, begin = 0 }: { readonly longest?: number; readonly begin?: number } = {},
): AsyncGenerator<PassedLine> {
  let position = end;
  let rest: Buffer = Buffer.alloc(0);
  const hasWords = (bytes: Buffer): boolean =>
    words.every((word) => (typeof word === "function" ? word(bytes) : bytes.includes(word)));
  while (position > begin) {
    // A long line is read in steps that grow with it.
    const length = Math.min(Math.max(READ_BYTES, rest.length), position - begin);
    position -= length;
    const chunk = Buffer.alloc(length);
    await file.read(chunk, position);
    const bytes = rest.length === 0 ? chunk : Buffer.concat([chunk, rest]);
    // The first line of a chunk may start before it.
    const newline = bytes.indexOf(NEWLINE);
    const first = position === begin ? 0 : newline === -1 ? bytes.length : newline + 1;
    const lineAt = (start: number, stop: number): PassedLine => {
      const text = bytes.subarray(start, stop - 1);
      const whole = bytes[stop - 1] === NEWLINE;
      return {
        has: whole && hasWords(text),
        read: stop - start,
        count: 1,
        value: () => (whole ? (unframe(text) ?? unframe(text.subarray(measureHole(text)))) : undefined),
      };
    };
    let lineEnd = bytes.length;
    if (words.length > 0 && lineEnd > first && !hasWords(bytes.subarray(first))) {
      const { value } = lineAt(first, bytes.indexOf(NEWLINE, first) + 1);
      yield { has: false, read: lineEnd - first, count: countLines(bytes, first), value };
      lineEnd = first;
    }
    while (lineEnd > first) {
      const lineStart = Math.max(first, bytes.lastIndexOf(NEWLINE, lineEnd - 2) + 1);
      yield lineAt(lineStart, lineEnd);
      lineEnd = lineStart;
    }
    rest = first > longest ? Buffer.alloc(0) : bytes.subarray(0, first);
  }
}

function countLines(bytes: Buffer, from: number): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE, from); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}

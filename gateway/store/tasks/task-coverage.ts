import type { TaskIndexLine } from "./task-lines.ts";

/** Bytes of a file, from the first up to the second. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** Which bytes of a month's file the archive's list speaks of. What it does not speak of must be read. */
export class TaskCoverage {
  /** Without a hole up to here. */
  #end = 0;
  /** What lies beyond a hole, in the order in which it came. */
  readonly #beyond: ByteRange[] = [];
  /** The line that is furthest back in the file. */
  last: TaskIndexLine | null = null;

  add(line: TaskIndexLine): void {
    const { offset, length } = line;
    if (this.last === null || offset > this.last.offset) this.last = line;
    // With its newline.
    const to = offset + length + 1;
    if (offset <= this.#end) this.#end = Math.max(this.#end, to);
    else this.#beyond.push({ from: offset, to });
  }

  /** End of the last byte that is spoken of. */
  get end(): number {
    return this.#beyond.reduce((end, { to }) => Math.max(end, to), this.#end);
  }

  /** What of the first `size` bytes is not spoken of. */
  gaps(size: number): ByteRange[] {
    const gaps: ByteRange[] = [];
    let end = this.#end;
    for (const { from, to } of this.#beyond.toSorted((a, b) => a.from - b.from)) {
      if (from > end) gaps.push({ from: end, to: from });
      end = Math.max(end, to);
    }
    if (end < size) gaps.push({ from: end, to: size });
    return gaps;
  }
}

import type { LinePlace } from "./line-log.ts";

/** Lines that are read with one call. */
export interface LineSpan {
  readonly from: number;
  readonly to: number;
  /** Each with its index in the list that was asked for. */
  readonly lines: readonly (LinePlace & { readonly index: number })[];
}

/** Bytes between two lines that are read along with them: a call costs more. */
const GAP_BYTES = 32 * 1024;
const SPAN_BYTES = 512 * 1024;

/** Puts lines that lie close together into one span. */
export function spansOf(places: readonly LinePlace[]): LineSpan[] {
  const ordered = places.map((place, index) => ({ ...place, index })).toSorted((a, b) => a.offset - b.offset);
  const spans: { from: number; to: number; lines: (LinePlace & { index: number })[] }[] = [];
  for (const line of ordered) {
    const end = line.offset + line.length;
    const span = spans.at(-1);
    if (span !== undefined && line.offset - span.to <= GAP_BYTES && end - span.from <= SPAN_BYTES) {
      span.lines.push(line);
      span.to = Math.max(span.to, end);
    } else spans.push({ from: line.offset, to: end, lines: [line] });
  }
  return spans;
}

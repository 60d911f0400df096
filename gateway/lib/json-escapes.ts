/** Escapes of printable characters but `"` and `\`, at any depth of JSON within JSON. */
const ESCAPE = /(?<!\\)\\+(?:u00(2[013-9a-f]|[3467][0-9a-f]|5[0-9abdef])|\/)/gi;
const CUT_ESCAPE = /(?<!\\)\\+(?:u(?:0(?:0[2-7]?)?)?)?$/;

/** A text without JSON escapes, and the source offset of each character. */
export interface Unescaped {
  readonly text: string;
  readonly rawAt: (index: number) => number;
}

/** Null if nothing printable is escaped. */
export function unescapeJson(text: string): Unescaped | null {
  if (!text.includes("\\u00") && !text.includes("\\/")) return null;
  const ends: number[] = [];
  const raws: number[] = [];
  let plain = "";
  let start = 0;
  for (const found of text.matchAll(ESCAPE)) {
    const code = found[1];
    plain +=
      text.slice(start, found.index) + (code === undefined ? "/" : String.fromCharCode(Number.parseInt(code, 16)));
    start = found.index + found[0].length;
    ends.push(plain.length);
    raws.push(start);
  }
  if (start === 0) return null;
  return { text: plain + text.slice(start), rawAt: (index) => rawIndex(ends, raws, index) };
}

/** Returns how many trailing characters may be an incomplete escape. */
export function cutEscapeLength(text: string): number {
  return CUT_ESCAPE.exec(text.slice(-16))?.[0].length ?? 0;
}

/** Finds the last escape that ends at or before the index. */
function rawIndex(ends: readonly number[], raws: readonly number[], index: number): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ends[middle] ?? 0) <= index) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? index : (raws[low - 1] ?? 0) + index - (ends[low - 1] ?? 0);
}

/** Byte range of a file, both ends inclusive. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Parses a `Range` header (RFC 9110, 14). A single range is served; several ranges and unreadable ones are refused instead
 * of served as the whole file.
 * @param header undefined without one
 * @param size bytes of the file
 * @returns null for the whole file; `"unsatisfiable"` for a 416
 */
export function parseRange(header: string | undefined, size: number): ByteRange | "unsatisfiable" | null {
  const [, specifier] = /^bytes *=(.*)$/i.exec(header?.trim() ?? "") ?? [];
  // Unknown units must be ignored.
  if (specifier === undefined) return null;
  const [, from, to] = /^(\d*)-(\d*)$/.exec(specifier.trim()) ?? [];
  if (from === undefined || to === undefined || (from === "" && to === "")) return "unsatisfiable";
  if (from === "") {
    const length = Math.min(Number(to), size);
    return length === 0 ? "unsatisfiable" : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  const last = to === "" ? size - 1 : Math.min(Number(to), size - 1);
  return first > last ? "unsatisfiable" : { first, last };
}

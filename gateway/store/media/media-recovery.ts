import { createHash } from "node:crypto";
import { join } from "node:path";
import { replaceFile } from "../disk/atomic-file.ts";
import { frame } from "../disk/line.ts";
import { LineLog } from "../disk/line-log.ts";
import type { LinePlace } from "../disk/line-log.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import { MEDIA_COPY, MEDIA_LOG } from "./media-copy.ts";
import { MediaIndex } from "./media-index.ts";
import { asMediaLine, isForeign } from "./media-lines.ts";
import type { AddedMedia } from "./media-rebuild.ts";
import { rebuildMedia } from "./media-rebuild.ts";

/** A line of one of the two, known by its content: they may be at different places in them. */
interface KnownLine extends LinePlace {
  readonly of: LineLog;
  readonly key: string;
  /** When its result was saved; null for a line that adds none. */
  readonly at: number | null;
}

export interface RecoveredMedia {
  /** Results that only the second copy still had. */
  readonly fromCopy: number;
  /** Results of which only the file was left. */
  readonly fromFiles: number;
  /** Files that cannot be shown at all. */
  readonly left: number;
}

/** Lines that are read and written together. */
const LINES_AT_ONCE = 200;

/**
 * Makes the library's log again of all that is left of it: what it says itself, what its second copy says, and the files
 * that neither names. The result becomes the second copy, whole or not at all; the log itself is not touched.
 * @param dir the library's folder
 * @throws the disk's error
 */
export async function recoverMedia(fs: StoreFs, dir: string): Promise<RecoveredMedia> {
  const own = await linesOf(fs, join(dir, MEDIA_LOG));
  const copied = await linesOf(fs, join(dir, MEDIA_COPY));
  const lines = mergeLines(own, copied);
  try {
    const index = new MediaIndex();
    for await (const values of valuesOf(lines)) {
      for (const value of values) {
        const line = asMediaLine(value);
        if (line !== undefined) index.apply(line, { offset: 0, length: 0 });
      }
    }
    const { lines: rebuilt, left } = await rebuildMedia(fs, dir, (sha256) => index.namesOf(sha256) > 0);
    await writeLines(fs, join(dir, MEDIA_COPY), lines, rebuilt);
    const known = new Set(own.map(({ key }) => key));
    const fromCopy = copied.filter(({ key, at }) => at !== null && !known.has(key)).length;
    return { fromCopy, fromFiles: rebuilt.length, left };
  } finally {
    await closeAll(lines);
  }
}

/** Returns the readable lines of a log; empty if it is missing or the disk cannot read it. */
async function linesOf(fs: StoreFs, path: string): Promise<KnownLine[]> {
  const of = new LineLog(fs, path, { name: "media library's index" });
  const lines: KnownLine[] = [];
  await of
    .replay((value, place) => {
      if (isForeign(value)) return;
      const line = asMediaLine(value);
      const key = createHash("sha1").update(JSON.stringify(value)).digest("base64");
      lines.push({ ...place, of, key, at: line?.op === "add" ? line.entry.at : null });
    })
    .catch(() => undefined);
  return lines;
}

/**
 * Two logs, each of which has lost some lines of the same history, as one: what both have keeps its order, and what only
 * one has stays between its neighbours.
 */
export function mergeLines<Line extends { readonly key: string }>(
  own: readonly Line[],
  copied: readonly Line[],
): Line[] {
  const places = new Map<string, number[]>();
  for (const [index, { key }] of copied.entries()) {
    const known = places.get(key);
    if (known === undefined) places.set(key, [index]);
    else known.push(index);
  }
  const merged: Line[] = [];
  let next = 0;
  for (const line of own) {
    // A line that says the same may be there more than once.
    const same = places.get(line.key)?.find((index) => index >= next);
    if (same !== undefined) {
      for (const other of copied.slice(next, same)) merged.push(other);
      next = same + 1;
    }
    merged.push(line);
  }
  for (const other of copied.slice(next)) merged.push(other);
  return merged;
}

async function* valuesOf(lines: readonly KnownLine[]): AsyncGenerator<unknown[]> {
  for (let start = 0; start < lines.length; start += LINES_AT_ONCE) {
    const some = lines.slice(start, start + LINES_AT_ONCE);
    const values: unknown[] = Array.from({ length: some.length });
    for (const of of new Set(some.map((line) => line.of))) {
      const wanted = some.map((line, index) => ({ line, index })).filter(({ line }) => line.of === of);
      const found = await of.readAll(wanted.map(({ line }) => line));
      for (const [at, { index }] of wanted.entries()) values[index] = found[at];
    }
    yield values;
  }
}

/** @param rebuilt oldest first; each comes before the first result that is younger */
async function writeLines(
  fs: StoreFs,
  path: string,
  lines: readonly KnownLine[],
  rebuilt: readonly AddedMedia[],
): Promise<void> {
  await replaceFile(fs, path, async (file) => {
    let position = 0;
    const write = async (values: readonly unknown[]): Promise<void> => {
      const bytes = Buffer.from(values.map((value) => frame(JSON.stringify(value))).join(""));
      await file.write(bytes, position);
      position += bytes.length;
    };
    let from = 0;
    let next = 0;
    for await (const values of valuesOf(lines)) {
      const together: unknown[] = [];
      for (const value of values) {
        const before = lines[next]?.at ?? Number.NEGATIVE_INFINITY;
        next += 1;
        for (let line = rebuilt[from]; line !== undefined && line.entry.at <= before; line = rebuilt[from]) {
          together.push(line);
          from += 1;
        }
        if (value !== undefined) together.push(value);
      }
      await write(together);
    }
    await write(rebuilt.slice(from));
    // An open file cannot replace another file on every system.
    await closeAll(lines);
  });
}

async function closeAll(lines: readonly KnownLine[]): Promise<void> {
  for (const log of new Set(lines.map(({ of }) => of))) await log.close();
}

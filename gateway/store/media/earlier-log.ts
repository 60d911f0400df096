import { join } from "node:path";
import { LineLog } from "../disk/line-log.ts";
import type { LinePlace, LogDamage } from "../disk/line-log.ts";
import { errorCode } from "../disk/store-fs.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import { isForeign, parseLine } from "./earlier-lines.ts";
import type { EarlierLine, EarlierPoster } from "./earlier-lines.ts";
import type { PendingMedia } from "./media-notes.ts";

/** The library's log in earlier versions, and its second copy, byte for byte. */
export const EARLIER_LOG = "index.ndjson";
export const EARLIER_COPY = "index.copy.ndjson";

/** Max bytes of one incomplete write, as left by a kill or a power cut. */
const MOST_UNWRITTEN_BYTES = 256 * 1024;

/** A result as the log tells of it; the rest is in its line. */
export interface EarlierResult {
  readonly id: string;
  readonly at: number;
  readonly sha256: string;
  readonly extension: string;
  readonly log: LineLog;
  readonly place: LinePlace;
  poster: EarlierPoster | null;
}

export interface EarlierLibrary {
  /** The first that was saved comes first. */
  readonly results: readonly EarlierResult[];
  readonly pending: readonly PendingMedia[];
  /** Until when results that were taken out can be brought back, Unix ms. */
  readonly deleted: ReadonlyMap<string, number>;
  /** Damage of the log, as text that follows its name; null if it has none. */
  readonly trouble: string | null;
  /** Whether the log has bytes that are no lines of it, or cannot be read. */
  readonly isDamaged: boolean;
  /** Results that only the second copy has. */
  readonly fromCopy: number;
  close(): Promise<void>;
}

/** Content of one of the two files. */
interface LogContent {
  readonly log: LineLog;
  readonly results: Map<string, EarlierResult>;
  readonly posters: Map<string, EarlierPoster>;
  readonly pending: Map<string, PendingMedia>;
  /** Null: brought back. */
  readonly deleted: Map<string, number | null>;
  readonly removed: Set<string>;
  /** Pending results that are saved or given up. */
  readonly decided: Set<string>;
  lines: number;
  /** Offset after the last complete line. */
  end: number;
  /** Lines of another file, and results that this version cannot use. */
  foreign: number;
  damage: LogDamage | null;
}

/**
 * Reads the log and its second copy, each of which may be damaged. @param dir the library's folder @throws the disk's
 * error
 */
export async function readEarlier(fs: StoreFs, dir: string): Promise<EarlierLibrary> {
  const [size, copied] = [await fs.size(join(dir, EARLIER_LOG)), await fs.size(join(dir, EARLIER_COPY))];
  let unread = false;
  const own = await readOne(fs, join(dir, EARLIER_LOG)).catch((error: unknown) => {
    // A missing permission is not damage: entries only in the log may become readable later.
    if (errorCode(error) !== "EIO" || (copied ?? 0) < (size ?? 0)) throw error;
    unread = true;
    return nothingFrom(fs, join(dir, EARLIER_LOG));
  });
  const copy = await readOne(fs, join(dir, EARLIER_COPY)).catch(() => nothingFrom(fs, join(dir, EARLIER_COPY)));
  const removed = new Set([...own.removed, ...copy.removed]);
  const decided = new Set([...own.decided, ...copy.decided]);
  const results = [...mergeResults(own, copy)].filter(({ id }) => !removed.has(id));
  for (const result of results) result.poster = own.posters.get(result.id) ?? copy.posters.get(result.id) ?? null;
  const deleted = new Map([...copy.deleted, ...own.deleted]);
  return {
    results,
    pending: [...new Map([...copy.pending, ...own.pending]).values()].filter(({ id }) => !decided.has(id)),
    deleted: new Map(
      results.flatMap(({ id }) => (typeof deleted.get(id) === "number" ? [[id, deleted.get(id) as number]] : [])),
    ),
    trouble: unread
      ? "cannot be read by the disk (EIO)"
      : findTrouble(
          own,
          size,
          results.some(({ log }) => log === copy.log),
        ),
    isDamaged: unread || hasDamage(own),
    fromCopy: results.filter(({ log }) => log === copy.log).length,
    close: async () => {
      await own.log.close();
      await copy.log.close();
    },
  };
}

function findTrouble(own: LogContent, size: number | null, lacksResults: boolean): string | null {
  if (size === null) return "is gone";
  return hasDamage(own) || own.lines === 0 || lacksResults ? "is damaged" : null;
}

/** Tells whether more is damaged than the last lines that a kill leaves. */
function hasDamage({ damage, end, foreign }: LogContent): boolean {
  if (foreign > 0) return true;
  if (damage === null) return false;
  return end === 0 || damage.bytes.length > MOST_UNWRITTEN_BYTES || damage.ranges.some(({ start }) => start < end);
}

/** Merges the results of both, in the order of the log; missing ones are inserted by time. */
function mergeResults(own: LogContent, copy: LogContent): EarlierResult[] {
  const extra = [...copy.results.values()].filter(({ id }) => !own.results.has(id));
  const all = [...own.results.values(), ...extra];
  return extra.length === 0 ? all : all.toSorted((one, other) => one.at - other.at);
}

const nothingFrom = (fs: StoreFs, path: string): LogContent => ({
  log: new LineLog(fs, path, { name: "media library's log" }),
  results: new Map(),
  posters: new Map(),
  pending: new Map(),
  deleted: new Map(),
  removed: new Set(),
  decided: new Set(),
  lines: 0,
  end: 0,
  foreign: 0,
  damage: null,
});

async function readOne(fs: StoreFs, path: string): Promise<LogContent> {
  const library = nothingFrom(fs, path);
  library.damage = await library.log.replay((value, place) => {
    library.end = place.offset + place.length + 1;
    const line = parseLine(value);
    if (line !== null) apply(library, line, place);
    if (isForeign(value)) library.foreign += 1;
    else library.lines += 1;
  });
  return library;
}

function apply(library: LogContent, line: EarlierLine, place: LinePlace): void {
  switch (line.op) {
    case "begun":
    case "missing":
    case "found":
      return;
    case "add": {
      const { id, at, sha256 } = line.entry;
      library.decided.add(id);
      // A user may have concatenated two copies of a log.
      if (library.results.has(id)) return;
      library.results.set(id, { id, at, sha256, extension: line.extension, log: library.log, place, poster: null });
      return;
    }
    case "pending":
      library.pending.set(line.pending.id, line.pending);
      return;
    case "drop":
      library.decided.add(line.id);
      return;
    case "poster":
      library.posters.set(line.id, line.poster);
      return;
    case "deleted":
      for (const id of line.ids) library.deleted.set(id, line.until);
      return;
    case "restored":
      for (const id of line.ids) library.deleted.set(id, null);
      return;
    case "removed":
      for (const id of line.ids) library.removed.add(id);
  }
}

import { join } from "node:path";
import { countReceipt } from "../../core/usage/aggregate.ts";
import type { Aggregates } from "../../core/usage/aggregate.ts";
import { describeDamage, cutStretches } from "../damage.ts";
import type { UsagePosition } from "../journal/generation-format.ts";
import { NEWLINE } from "../disk/line.ts";
import type { BadRange } from "../disk/line.ts";
import { LineReader, readRanges } from "../disk/line-reader.ts";
import type { Quarantine } from "../quarantine.ts";
import { asUsageLine, segmentMonths, segmentName } from "../disk/segments.ts";
import type { UsageLine } from "../disk/segments.ts";
import type { StoreFile, StoreFs } from "../disk/store-fs.ts";
import type { OpenCall } from "../store.ts";

export interface ReplayedUsage {
  /** Number of the last receipt. */
  readonly n: number;
  /** Read position of each segment by month: the end of a line. */
  readonly ends: Map<string, number>;
  /** Segments whose lines were read, by name, with the invalid bytes at their end that have a copy. */
  readonly read: ReadonlyMap<string, BadRange | null>;
  readonly damaged: boolean;
}

interface Tail {
  readonly month: string;
  readonly file: StoreFile;
  readonly size: number;
  /** Offset from which it is read. */
  readonly from: number;
  /** Whether lines that the last state had counted are missing. */
  readonly changed: boolean;
  readonly reader: LineReader;
  readonly bad: BadRange[];
  lines: UsageLine[];
  next: number;
}

/**
 * Counts the receipts of the usage log after `from` (all by default) in `rows`, and updates `openCalls`. Several
 * segments are merged by receipt number, which is the original order, even if the wall clock jumped between months.
 */
export async function replayUsage(
  fs: StoreFs,
  folder: string,
  from: UsagePosition,
  rows: Aggregates,
  openCalls: Map<string, OpenCall>,
  quarantine: Quarantine,
): Promise<ReplayedUsage> {
  const tails: Tail[] = [];
  const months = segmentMonths(await fs.list(folder));
  const missing = Object.keys(from.segments).filter(
    (month) => (from.segments[month] ?? 0) > 0 && !months.includes(month),
  );
  for (const month of missing) tellChanged(quarantine, month, "is gone; its receipts are still counted.");
  try {
    for (const month of months) tails.push(await openTail(fs, folder, month, from.segments[month] ?? 0));
    const changed = tails.filter((tail) => tail.changed);
    for (const { month } of changed)
      tellChanged(quarantine, month, "is not as it was left; it was read again as a whole.");
    const n = await replayTails(tails, lastNumber(from, rows), rows, openCalls);
    const ends = new Map(tails.map((tail) => [tail.month, findTorn(tail)?.start ?? tail.size]));
    const read = new Map<string, BadRange | null>();
    for (const tail of tails.filter(({ from, size }) => from < size)) {
      const isStored = await keepBadBytes(tail, quarantine);
      read.set(segmentName(tail.month), isStored ? findTorn(tail) : null);
    }
    return {
      n,
      ends,
      read,
      damaged: missing.length + changed.length > 0 || tails.some((tail) => tail.bad.length > 0),
    };
  } finally {
    for (const tail of tails) await tail.file.close();
  }
}

function tellChanged(quarantine: Quarantine, month: string, what: string): void {
  const name = segmentName(month);
  quarantine.tell("missing", `The usage log of ${month} (usage/${name}) ${what}`, null, name);
}

/** Returns the last receipt number; rows may be ahead of the position with which their generation started. */
function lastNumber(from: UsagePosition, rows: Aggregates): number {
  let n = from.n;
  for (const row of rows.spend.values()) n = Math.max(n, row.n);
  // Rows of cold days are not newer than their generation.
  for (const day of rows.daily.warmDays.values()) for (const row of day) n = Math.max(n, row.n);
  return n;
}

async function openTail(fs: StoreFs, folder: string, month: string, offset: number): Promise<Tail> {
  const path = join(folder, segmentName(month));
  const size = (await fs.size(path)) ?? 0;
  const file = await fs.open(path, "read");
  // A file that was swapped or cut has no line ending there: then it is read from its beginning.
  const changed = !(await endsLine(file, offset, size));
  const from = changed ? 0 : offset;
  // Lines that are added meanwhile are not read.
  const reader = new LineReader(file, { from, to: size });
  return { month, file, size, from, changed, reader, bad: [], lines: [], next: 0 };
}

async function endsLine(file: StoreFile, offset: number, size: number): Promise<boolean> {
  if (offset === 0) return true;
  if (!Number.isSafeInteger(offset) || offset < 0 || offset > size) return false;
  const before = Buffer.alloc(1);
  await file.read(before, offset - 1);
  return before[0] === NEWLINE;
}

async function replayTails(
  tails: readonly Tail[],
  counted: number,
  rows: Aggregates,
  openCalls: Map<string, OpenCall>,
): Promise<number> {
  let n = counted;
  for (;;) {
    const [first, second] = await readyTails(tails);
    if (first === undefined) return n;
    const limit = second === undefined ? Infinity : peek(second);
    while (first.next < first.lines.length && peek(first) <= limit) {
      const line = first.lines[first.next] as UsageLine;
      first.next += 1;
      n = Math.max(n, line.n);
      if ("call" in line) openCalls.set(line.call.id, line.call);
      else {
        openCalls.delete(line.receipt.id);
        countReceipt(rows, line.receipt, line.n);
      }
    }
  }
}

/** The tails that have lines left, the one with the lowest number first. */
async function readyTails(tails: readonly Tail[]): Promise<Tail[]> {
  const ready: Tail[] = [];
  for (const tail of tails) {
    while (tail.next >= tail.lines.length) {
      const batch = await tail.reader.next();
      if (batch === null) break;
      tail.lines = [];
      tail.next = 0;
      tail.bad.push(...batch.bad);
      for (const { value, offset, length } of batch.lines) {
        const line = asUsageLine(value);
        if (line !== undefined) tail.lines.push(line);
        else tail.bad.push({ start: offset, end: offset + length + 1, torn: false });
      }
    }
    if (tail.next < tail.lines.length) ready.push(tail);
  }
  return ready.toSorted((a, b) => peek(a) - peek(b));
}

const peek = (tail: Tail): number => tail.lines[tail.next]?.n ?? Infinity;

const findTorn = ({ bad }: Tail): BadRange | null => bad.find(({ torn }) => torn) ?? null;

/** Copies only the invalid bytes, because segments are large. @returns false if that failed */
async function keepBadBytes({ month, file, bad }: Tail, quarantine: Quarantine): Promise<boolean> {
  const ranges = bad.toSorted((a, b) => a.start - b.start);
  const [first] = ranges;
  if (first === undefined) return true;
  const name = segmentName(month);
  const bytes = await readRanges(file, ranges);
  const { torn, words } = describeDamage(cutStretches(bytes, ranges), ranges.at(-1)?.torn === true);
  return quarantine.keep(
    `${name}.from-${first.start}`,
    bytes,
    torn ? "torn" : "damaged",
    torn
      ? `The last line of usage/${name} was not written to its end and was cut off.`
      : `The usage log (usage/${name}) is damaged: ${words}. All other receipts are counted.`,
  );
}

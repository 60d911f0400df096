import { join } from "node:path";
import type { Search } from "../../contract/matches-request.ts";
import type { Receipt } from "../../contract/receipt.ts";
import type { Clock } from "../../lib/clock.ts";
import { utcMonth } from "../../lib/clock.ts";
import { Slices } from "../../lib/slices.ts";
import { blocksBackwards } from "../disk/blocks-backwards.ts";
import type { LineBlock } from "../disk/blocks-backwards.ts";
import { NEWLINE, frame, holeIn, unframe } from "../disk/line.ts";
import { LineReader } from "../disk/line-reader.ts";
import { asUsageLine, segmentMonths, segmentName } from "../disk/segments.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import type { Scanned } from "../store.ts";
import { lineFilter } from "./line-filter.ts";
import { ReceiptLine } from "./receipt-line.ts";
import { CLOCK_SET_BACK_MS, endBy, offsetOf } from "./usage-list.ts";
import type { ReceiptCursor } from "./usage-list.ts";

/** Where one scan ends before it has seen everything. */
export interface ScanBounds {
  readonly receipts: number;
  readonly ms: number;
}

const SCAN_BOUNDS: ScanBounds = { receipts: 1_000_000, ms: 2_000 };

const COMMA = 0x2c;
/** Lines between two looks at the time: some hundredths of a millisecond each. */
const LINES = 32;

/** What the fields that a line of an earlier or a foreign version lacks come to. */
const MISSING = { endpoint: "", provider: "", connection: "", status: 0, code: null, outcome: "", stream: false };

/** Passes over all receipts of the log that a filter lets in, newest first, within bounds and between other work. */
export class UsageScan {
  readonly #fs: StoreFs;
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #slices: Slices;
  readonly #search: Search;
  readonly #lets: (line: ReceiptLine) => boolean;
  readonly #visit: (line: ReceiptLine) => void;
  readonly #bounds: ScanBounds;
  readonly #ends: number;
  readonly #line = new ReceiptLine();
  #scanned = 0;
  #sinceLook = 0;
  #outOfRange = false;
  /** Whether one of before the filter's time was passed. */
  #amongOld = false;

  constructor(
    parts: { fs: StoreFs; folder: string; clock: Clock },
    search: Search,
    visit: (line: ReceiptLine) => void,
    bounds: ScanBounds = SCAN_BOUNDS,
  ) {
    this.#fs = parts.fs;
    this.#folder = parts.folder;
    this.#clock = parts.clock;
    this.#slices = new Slices(parts.clock);
    this.#search = search;
    this.#lets = lineFilter(search);
    this.#visit = visit;
    this.#bounds = bounds;
    this.#ends = parts.clock.monotonic() + bounds.ms;
  }

  /** One that is in memory. @param json as it is written */
  pass(n: number, json: string): void {
    const bytes = Buffer.from(frame(`{"n":${n},"receipt":${json}}`));
    this.#pass(bytes, 0, bytes.length - 1, null);
  }

  /** Those of the files that are older. */
  async passFiles(before: ReceiptCursor | null): Promise<Scanned> {
    const { since, until } = this.#search;
    const first = since === undefined ? "" : utcMonth(since);
    // Those that a clock which was ahead has left may stand in later months than their neighbours.
    const last = until === undefined ? null : utcMonth(until);
    for (const month of segmentMonths(await this.#fs.list(this.#folder)).toReversed()) {
      if (before !== null && month > before.month) continue;
      if (last !== null && month > last) continue;
      if (month < first || this.#outOfRange) break;
      const whole = await this.#passSegment(month, before?.month === month ? before.n : null);
      if (!whole) return { scanned: this.#scanned, complete: false };
    }
    return { scanned: this.#scanned, complete: true };
  }

  /** @returns false when there was no time for all of it */
  async #passSegment(month: string, before: number | null): Promise<boolean> {
    const path = join(this.#folder, segmentName(month));
    const file = await this.#fs.open(path, "read");
    try {
      const size = (await this.#fs.size(path)) ?? 0;
      const known = before === null ? size : await offsetOf(file, size, before);
      const { until } = this.#search;
      const end = until === undefined ? known : await endBy(file, known, until + CLOCK_SET_BACK_MS);
      for await (const block of blocksBackwards(file, end)) {
        if (!(await this.#passBlock(block, before))) return false;
        if (this.#outOfRange) break;
      }
      return true;
    } finally {
      await file.close();
    }
  }

  async #passBlock({ bytes, start, end }: LineBlock, before: number | null): Promise<boolean> {
    let lineEnd = end;
    while (lineEnd > start) {
      const lineStart = Math.max(start, bytes.lastIndexOf(NEWLINE, lineEnd - 2) + 1);
      // What has no newline was not written to its end.
      if (bytes[lineEnd - 1] === NEWLINE) this.#pass(bytes, lineStart, lineEnd - 1, before);
      lineEnd = lineStart;
      if (this.#outOfRange) return true;
      if (++this.#sinceLook < LINES) continue;
      this.#sinceLook = 0;
      if (this.#scanned > this.#bounds.receipts || this.#clock.monotonic() >= this.#ends) return false;
      if (this.#slices.over) await this.#slices.pause();
    }
    return true;
  }

  #pass(bytes: Buffer, start: number, end: number, before: number | null): void {
    const line = this.#line;
    if (this.#isOld(bytes, start, end)) return;
    const kind = line.read(bytes, start, end);
    if (kind === "call" || (kind === "unknown" && !this.#readOdd(bytes.subarray(start, end)))) return;
    if (before !== null && line.n >= before) return;
    this.#scanned += 1;
    if (this.#lets(line)) this.#visit(line);
    const { since } = this.#search;
    if (since === undefined || line.at >= since) return;
    this.#amongOld = true;
    if (line.at < since - CLOCK_SET_BACK_MS) this.#outOfRange = line.isWhole();
  }

  /** Of the day before the filter's time, which is passed over lest a clock was set back, most is told by one figure. */
  #isOld(bytes: Buffer, start: number, end: number): boolean {
    const { since } = this.#search;
    if (since === undefined || !this.#amongOld) return false;
    const at = momentAt(bytes, start, end);
    if (at === null || at >= since || at < since - CLOCK_SET_BACK_MS) return false;
    this.#scanned += 1;
    return true;
  }

  /** What another version or another program wrote, or what is damaged: it is made out and written as here. */
  #readOdd(text: Buffer): boolean {
    const odd = asUsageLine(unframe(text) ?? unframe(text.subarray(holeIn(text))));
    if (odd === undefined || !("receipt" in odd)) return false;
    const { ms, first_ms, nano, route, ...others } = odd.receipt;
    const times = { ms: finite(ms) ?? 0, first_ms: finite(first_ms) };
    // Its name first, by which a line is known.
    const routed = typeof route?.name === "string" ? { route: { ...BY_NAME, ...route } } : {};
    const receipt = { ...(MISSING as Partial<Receipt>), ...others, ...times, nano, ...routed };
    const bytes = Buffer.from(frame(JSON.stringify({ n: odd.n, receipt })));
    return this.#line.read(bytes, 0, bytes.length - 1) === "receipt";
  }
}

/** Objects keep the place in which a member was first put. */
const BY_NAME = { name: "" };
const finite = (value: unknown): number | null => (typeof value === "number" && Number.isFinite(value) ? value : null);

/** What stands before the number of a line: its checksum, and the beginning of its JSON. */
const BEFORE_NUMBER = '00000000 {"n":'.length;
const RECEIPT_ID = Buffer.from(',"receipt":{"id":"');
/** In no text, whose quotes are escaped. */
const THEN_AT = Buffer.from('","at":');
const ZERO = 0x30;

/** When the receipt of a line was settled, without reading the line; null where it is not written as here. */
function momentAt(bytes: Buffer, start: number, end: number): number | null {
  let place = start + BEFORE_NUMBER;
  while (isDigit(bytes[place])) place += 1;
  const id = place + RECEIPT_ID.length;
  if (id > end || RECEIPT_ID.compare(bytes, place, id) !== 0) return null;
  place = bytes.indexOf(THEN_AT, id);
  if (place === -1 || place > end) return null;
  let moment = 0;
  for (place += THEN_AT.length; isDigit(bytes[place]); place += 1) moment = moment * 10 + (bytes[place] ?? 0) - ZERO;
  return bytes[place] === COMMA ? moment : null;
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= ZERO && byte <= ZERO + 9;

/** When the first receipt of the oldest segment was settled; null without any. */
export async function oldestMoment(fs: StoreFs, folder: string): Promise<number | null> {
  for (const month of segmentMonths(await fs.list(folder))) {
    const path = join(folder, segmentName(month));
    const size = (await fs.size(path)) ?? 0;
    if (size === 0) continue;
    const file = await fs.open(path, "read");
    try {
      const reader = new LineReader(file, { to: size });
      for (let batch = await reader.next(); batch !== null; batch = await reader.next()) {
        for (const { value } of batch.lines) {
          const line = asUsageLine(value);
          if (line !== undefined && "receipt" in line) return line.receipt.at;
        }
      }
    } finally {
      await file.close();
    }
  }
  return null;
}

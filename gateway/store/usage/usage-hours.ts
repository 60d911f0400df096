import { join } from "node:path";
import type { Receipt } from "../../contract/receipt.ts";
import type { Totals } from "../../contract/totals.ts";
import { OTHER_CLIENTS } from "../../core/usage/aggregate.ts";
import { HOUR_MS } from "../../core/usage/usage-period.ts";
import { columnsOf, joined, namesByGroup, renamed } from "../../core/usage/usage-columns.ts";
import type { NamesByGroup, UsageColumns, UsageSource } from "../../core/usage/usage-columns.ts";
import { addReceipt, countedModel, emptySums } from "../../core/usage/usage-sums.ts";
import type { UsageSums } from "../../core/usage/usage-sums.ts";
import { sumOf } from "../../core/usage/usage-series.ts";
import { addTotals, emptyTotals } from "../../core/usage/usage-totals.ts";
import { utcMonth } from "../../lib/clock.ts";
import { linesBackwards } from "../disk/lines-backwards.ts";
import { asUsageLine, segmentName } from "../disk/segments.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import type { HourlyUsage, HoursBack } from "../store.ts";

/** 30 days and the one that runs, in any zone, and one for a look right after a day has ended. */
const KEPT_HOURS = 32 * 24;
/** The last 24 and the one that runs; also all of today where clocks are set back. */
const DAY_HOURS = 25;
/** Those and as many before them: kept however much they hold. */
const LEAST_HOURS = 2 * DAY_HOURS;
/** Of all hours together, some hundred bytes each: beyond that the oldest are forgotten. */
const MOST_KEPT_ROWS = 40_000;
/** Clients name themselves and their projects: beyond so many rows of an hour they are counted without names. */
const MOST_ROWS = 2_000;
/** About 400,000 receipts, two seconds of work between other work. */
const MOST_BYTES = 256 * 1024 * 1024;
/** A wall clock that jumped has left older receipts between newer ones; so many in a row are the past. */
const OLDER_IN_A_ROW = 1_000;

/** No receipt is settled so long after its call: the clock was ahead. */
const AHEAD_MS = 60 * 24 * HOUR_MS;

interface Hour {
  rows: Map<string, UsageSums>;
  /** Those of an hour that is over: a tenth of the memory. What comes late is in rows of its own. */
  packed: UsageColumns | null;
  /** Made when someone asks, and again after a row has changed. */
  columns: UsageColumns | null;
  total: Totals | null;
}

/** A moment on the way back, and whether all that is newer has been read. */
class Milestone {
  /** Unix ms; 0 before someone asks. */
  since = 0;
  isReached = false;
  readonly #reached = Promise.withResolvers<void>();
  #olderInARow = 0;

  get reached(): Promise<void> {
    return this.#reached.promise;
  }

  pass(at: number): void {
    this.#olderInARow = at >= this.since ? 0 : this.#olderInARow + 1;
    if (this.#olderInARow === OLDER_IN_A_ROW) this.reach();
  }

  reach(): void {
    this.isReached = true;
    this.#reached.resolve();
  }
}

/**
 * Sums by the hour, in memory only: each receipt is counted as it is settled, and those from before the start are read
 * back from the newest segments when someone asks for the first time. Nothing of it has to be kept or replayed.
 */
export class UsageHours implements UsageSource {
  readonly #fs: StoreFs;
  readonly #folder: string;
  readonly #start: { readonly at: number; readonly ends: ReadonlyMap<string, number> };
  readonly #mostBytes: number;
  readonly #hours = new Map<number, Hour>();
  /** Of the hours that are kept: what left with an hour is forgotten with it. */
  #names = namesByGroup();
  #reading: Promise<void> | null = null;
  #read = false;
  /** A first look does not wait for the time before it, nor that one for the month. */
  readonly #day = new Milestone();
  readonly #days = new Milestone();
  /** Settled when someone wants more than the last day, as the sidebar alone does not; and more than the days before. */
  readonly #wantsDays = Promise.withResolvers<void>();
  readonly #wantsKept = Promise.withResolvers<void>();
  #failure: { readonly error: unknown } | null = null;
  #wholeFrom: number | null = null;
  /** Hours before this are not kept. */
  #since = 0;
  #rows = 0;
  /** The hours that are not packed: the newest, and the other one in which a receipt was counted last. */
  #newest = 0;
  #older = 0;
  #readBytes = 0;
  /** Hours whose names are still known, although they are gone. */
  #left = 0;

  /** @param start when the log was opened, and where each segment ended then: what comes later is counted */
  constructor(
    parts: { fs: StoreFs; folder: string; mostBytes?: number },
    start: { at: number; ends: ReadonlyMap<string, number> },
  ) {
    this.#fs = parts.fs;
    this.#folder = parts.folder;
    this.#mostBytes = parts.mostBytes ?? MOST_BYTES;
    this.#start = start;
  }

  count(receipt: Receipt): void {
    const at = Math.floor(receipt.at / HOUR_MS) * HOUR_MS;
    const hour = this.#hour(at);
    this.#packOthers(at);
    const { rows } = hour;
    const isRoom = rows.size + (hour.packed?.rows ?? 0) < MOST_ROWS;
    const client = isRoom ? receipt.client : OTHER_CLIENTS;
    const project = isRoom ? receipt.project : undefined;
    const id = `${receipt.key}\n${countedModel(receipt)}\n${receipt.endpoint}\n${receipt.connection}\n${client}\n${project ?? ""}`;
    let row = rows.get(id);
    if (row === undefined) {
      row = { ...emptySums({ ...receipt, project }), client, connection: receipt.connection };
      rows.set(id, row);
      this.#rows += 1;
      while (this.#rows > MOST_KEPT_ROWS && this.#hours.size > LEAST_HOURS) this.#forgetOldest();
    }
    addReceipt(row, receipt);
    hour.columns = null;
    hour.total = null;
  }

  /** Settled when so much is read, or cannot be: `read` says so. */
  async prepare(now: number, back: HoursBack = "day"): Promise<void> {
    const reading = this.#begin(now);
    if (back !== "day") this.#wantsDays.resolve();
    if (back === "kept") this.#wantsKept.resolve();
    await { day: this.#day.reached, days: this.#days.reached, kept: reading }[back];
  }

  /** What all hours from one to another used, the last left out; null before the last day is read. */
  total(from: number, to: number): Totals | null {
    if (!this.#day.isReached) return null;
    const sum = emptyTotals();
    for (const [at, hour] of this.#hours) {
      if (at < from || at >= to) continue;
      hour.total ??= totalOf(hour);
      addTotals(sum, hour.total);
    }
    return sum;
  }

  /**
   * The hours up to `now`, each of them whole unless the response says otherwise.
   * @param back what it waits for
   */
  async read(now: number, back: HoursBack = "day"): Promise<HourlyUsage> {
    await this.prepare(now, back);
    if (this.#failure === null) return this.#found();
    // What was read is counted and stays so: only the next start can read it again. That it failed is told once.
    const { error } = this.#failure;
    this.#failure = null;
    throw error;
  }

  /** What `read` gives, as far as it has read; null before it has read the last day. */
  here(): HourlyUsage | null {
    return this.#day.isReached ? this.#found() : null;
  }

  #begin(now: number): Promise<void> {
    if (this.#reading !== null) return this.#reading;
    const hour = Math.floor(now / HOUR_MS) * HOUR_MS;
    this.#day.since = hour - (DAY_HOURS - 1) * HOUR_MS;
    this.#days.since = hour - (LEAST_HOURS - 1) * HOUR_MS;
    this.#since = Math.max(this.#since, hour - (KEPT_HOURS - 1) * HOUR_MS);
    this.#reading = this.#readAll();
    return this.#reading;
  }

  #found(): HourlyUsage {
    const since = this.#read ? this.#since : Math.max(this.#since, this.#readSince());
    return { source: this, since, reading: !this.#read, wholeFrom: this.#wholeFrom };
  }

  #readSince(): number {
    return this.#days.isReached ? this.#days.since : this.#day.since;
  }

  async #readAll(): Promise<void> {
    try {
      await this.#readBack();
    } catch (error) {
      this.#failure = { error };
      this.#wholeFrom = this.#day.isReached ? this.#readSince() : Math.ceil(this.#start.at / HOUR_MS) * HOUR_MS;
    }
    this.#read = true;
    this.#day.reach();
    this.#days.reach();
  }

  get names(): NamesByGroup {
    return this.#names;
  }

  at(begins: number): UsageColumns | undefined {
    const hour = this.#hours.get(begins);
    if (hour === undefined) return undefined;
    hour.columns ??= this.#columnsOf(hour);
    return hour.columns;
  }

  #columnsOf({ rows, packed }: Hour): UsageColumns {
    if (packed !== null && rows.size === 0) return packed;
    const own = columnsOf(rows.values(), this.#names);
    return packed === null ? own : joined(packed, own);
  }

  /**
   * Packs what is over, now that a receipt of this hour has come. Calls of now come between those that are read back, so the
   * newest hour and the one that is read stay open side by side: packed at each change, they would have a row for each call.
   */
  #packOthers(at: number): void {
    if (at > this.#newest) {
      this.#pack(this.#newest);
      this.#newest = at;
    } else if (at < this.#newest && at !== this.#older) {
      this.#pack(this.#older);
      this.#older = at;
    }
  }

  #pack(at: number): void {
    const hour = this.#hours.get(at);
    if (hour === undefined || hour.rows.size === 0) return;
    hour.packed = hour.columns = this.#columnsOf(hour);
    hour.rows = new Map();
  }

  #hour(at: number): Hour {
    const known = this.#hours.get(at);
    if (known !== undefined) return known;
    const hour: Hour = { rows: new Map(), packed: null, columns: null, total: null };
    this.#hours.set(at, hour);
    if (this.#hours.size > KEPT_HOURS) {
      const newest = Math.max(...this.#hours.keys());
      // Counted while the clock was ahead, it would push out every hour to come.
      if (newest - at > AHEAD_MS) this.#forget(newest);
      else this.#forgetOldest();
    }
    return hour;
  }

  #forgetOldest(): void {
    const oldest = Math.min(...this.#hours.keys());
    this.#forget(oldest);
    this.#since = Math.max(this.#since, oldest + HOUR_MS);
  }

  #forget(at: number): void {
    const hour = this.#hours.get(at);
    this.#rows -= (hour?.rows.size ?? 0) + (hour?.packed?.rows ?? 0);
    this.#hours.delete(at);
    this.#left += 1;
    // Numbering all names again takes a moment: once a day is enough.
    if (this.#left < 24) return;
    this.#left = 0;
    const names = namesByGroup();
    for (const kept of this.#hours.values()) {
      if (kept.packed !== null) kept.packed = renamed(kept.packed, this.#names, names);
      kept.columns = null;
    }
    this.#names = names;
  }

  async #readBack(): Promise<void> {
    const first = utcMonth(this.#since);
    const months = [...this.#start.ends.keys()].filter((month) => month >= first).toSorted();
    for (const month of months.toReversed()) {
      let end = this.#start.ends.get(month) ?? 0;
      while (end > 0) {
        const before = this.#reached;
        end = await this.#readSegment(month, end);
        if (this.#wholeFrom !== null) return;
        if (end > 0 && before < 1) await this.#wantsDays.promise;
        if (end > 0 && this.#reached > 1) await this.#wantsKept.promise;
      }
    }
  }

  /** How many milestones are behind. */
  get #reached(): number {
    return Number(this.#day.isReached) + Number(this.#days.isReached);
  }

  /** Counts what a segment has before `end`. @returns where it stopped, at a milestone; 0: nothing is left */
  async #readSegment(month: string, end: number): Promise<number> {
    const before = this.#reached;
    const file = await this.#fs.open(join(this.#folder, segmentName(month)), "read");
    try {
      let older = 0;
      let position = end;
      for await (const { value, read } of linesBackwards(file, end)) {
        position -= read;
        this.#readBytes += read;
        const line = asUsageLine(value());
        if (line === undefined || !("receipt" in line)) continue;
        const { receipt } = line;
        if (receipt.at >= this.#since) {
          if (receipt.at - this.#since < AHEAD_MS) this.count(receipt);
          older = 0;
        } else older += 1;
        if (older >= OLDER_IN_A_ROW) break;
        this.#day.pass(receipt.at);
        this.#days.pass(receipt.at);
        if (this.#readBytes >= this.#mostBytes) {
          this.#wholeFrom = (Math.floor(receipt.at / HOUR_MS) + 1) * HOUR_MS;
          break;
        }
        if (this.#reached > before) return position;
      }
    } finally {
      await file.close();
    }
    return 0;
  }
}

function totalOf({ rows, packed }: Hour): Totals {
  const total = packed === null ? emptyTotals() : sumOf(packed);
  for (const row of rows.values()) addTotals(total, row);
  return total;
}

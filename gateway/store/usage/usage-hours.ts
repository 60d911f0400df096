import { join } from "node:path";
import type { Receipt } from "../../contract/receipt.ts";
import { OTHER_CLIENTS } from "../../core/usage/aggregate.ts";
import { HOUR_MS } from "../../core/usage/usage-period.ts";
import { columnsOf, namesByGroup } from "../../core/usage/usage-columns.ts";
import type { NamesByGroup, UsageColumns, UsageSource } from "../../core/usage/usage-columns.ts";
import { addReceipt, countedModel, emptySums } from "../../core/usage/usage-sums.ts";
import type { UsageSums } from "../../core/usage/usage-sums.ts";
import { utcMonth } from "../../lib/clock.ts";
import { linesBackwards } from "../disk/lines-backwards.ts";
import { asUsageLine, segmentName } from "../disk/segments.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import type { HourlyUsage } from "../store.ts";

/** The last 24, the one that runs, and one for a look right after an hour has ended. */
const KEPT_HOURS = 26;
/** Clients name themselves: beyond so many rows of an hour they are counted without a name. */
const MOST_ROWS = 2_000;
/** About 400,000 receipts, two seconds of work between other work. */
const MOST_BYTES = 256 * 1024 * 1024;
/** A wall clock that jumped has left older receipts between newer ones; so many in a row are the past. */
const OLDER_IN_A_ROW = 1_000;

/** No receipt is settled so long after its call: the clock was ahead. */
const AHEAD_MS = 30 * 24 * HOUR_MS;

interface Hour {
  readonly rows: Map<string, UsageSums>;
  /** Made when somebody asks, and again after a row has changed. */
  columns: UsageColumns | null;
}

/**
 * Sums by the hour, in memory only: each receipt is counted as it is settled, and those from before the start are read
 * back from the newest segments when somebody asks for the first time. Nothing of it has to be kept or replayed.
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
  #wholeFrom: number | null = null;

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
    const { rows } = hour;
    const client = rows.size < MOST_ROWS ? receipt.client : OTHER_CLIENTS;
    const id = `${receipt.key}\n${countedModel(receipt)}\n${receipt.endpoint}\n${client}`;
    let row = rows.get(id);
    if (row === undefined) {
      row = { ...emptySums(receipt), client };
      rows.set(id, row);
    }
    addReceipt(row, receipt);
    hour.columns = null;
  }

  /** The hours up to `now`, each of them whole unless the response says otherwise. */
  async read(now: number): Promise<HourlyUsage> {
    const since = Math.floor(now / HOUR_MS) * HOUR_MS - (KEPT_HOURS - 1) * HOUR_MS;
    this.#reading ??= this.#readBack(since);
    try {
      await this.#reading;
    } catch (error) {
      // What was read is counted and stays so: only the next start can read it again.
      this.#wholeFrom = Math.ceil(this.#start.at / HOUR_MS) * HOUR_MS;
      this.#reading = Promise.resolve();
      throw error;
    }
    return { source: this, wholeFrom: this.#wholeFrom };
  }

  get names(): NamesByGroup {
    return this.#names;
  }

  at(begins: number): UsageColumns | undefined {
    const hour = this.#hours.get(begins);
    if (hour === undefined) return undefined;
    hour.columns ??= columnsOf(hour.rows.values(), this.#names);
    return hour.columns;
  }

  #hour(at: number): Hour {
    const known = this.#hours.get(at);
    if (known !== undefined) return known;
    const hour: Hour = { rows: new Map(), columns: null };
    this.#hours.set(at, hour);
    if (this.#hours.size > KEPT_HOURS) {
      const hours = [...this.#hours.keys()];
      const newest = Math.max(...hours);
      // Counted while the clock was ahead, it would push out every hour to come.
      this.#hours.delete(newest - at > AHEAD_MS ? newest : Math.min(...hours));
      this.#names = namesByGroup();
      for (const kept of this.#hours.values()) kept.columns = null;
    }
    return hour;
  }

  async #readBack(since: number): Promise<void> {
    const first = utcMonth(since);
    let budget = this.#mostBytes;
    const months = [...this.#start.ends.keys()].filter((month) => month >= first).toSorted();
    for (const month of months.toReversed()) {
      const end = this.#start.ends.get(month) ?? 0;
      if (end === 0) continue;
      const file = await this.#fs.open(join(this.#folder, segmentName(month)), "read");
      try {
        let older = 0;
        for await (const { value, read } of linesBackwards(file, end)) {
          budget -= read;
          const line = asUsageLine(value());
          if (line === undefined || !("receipt" in line)) continue;
          const { receipt } = line;
          if (receipt.at >= since) {
            if (receipt.at - since < AHEAD_MS) this.count(receipt);
            older = 0;
          } else older += 1;
          if (older >= OLDER_IN_A_ROW) break;
          if (budget > 0) continue;
          this.#wholeFrom = (Math.floor(receipt.at / HOUR_MS) + 1) * HOUR_MS;
          return;
        }
      } finally {
        await file.close();
      }
    }
  }
}

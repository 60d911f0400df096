import type { Totals } from "../../contract/totals.ts";
import type { Slices } from "../../lib/slices.ts";
import type { NamesByGroup, UsageColumns } from "./usage-columns.ts";
import type { UsageSums } from "./usage-sums.ts";

/** Sums of one day × key × model × client × endpoint × project. Derived from receipts only. */
export interface DailyRow extends UsageSums {
  /** `day|key|model|client|endpoint|project`, names of clients URI-encoded; earlier rows lack the last ones. */
  readonly id: string;
  n: number;
  readonly day: string;
}

/** Compact rows of a past day, as stored on disk; decoded on each read. */
export interface ColdDay {
  /** How many rows there are. */
  readonly count: number;
  /** New objects each time. */
  rows(): DailyRow[];
  /** Totals of each row, which cost less work than rows. */
  totals(): Iterable<Readonly<Totals>>;
  /** Returns its rows as columns. @param names take the names that are new */
  columns(names: NamesByGroup): UsageColumns;
  /** Returns the same columns, computed in slices. */
  columnsInSlices(names: NamesByGroup, slices: Slices): Promise<UsageColumns>;
  /** Stored bytes, for rewriting them. */
  readonly parts: readonly Uint8Array[];
  /** Makes it small in memory. */
  pack(): Promise<void>;
}

/**
 * Daily rows by id. Past days are stored as a cold day in a tenth of the memory; a late receipt expands them. Other
 * code sees a map of all rows.
 */
export class DailyRows extends Map<string, DailyRow> {
  /** Rows of the map itself, by day. */
  readonly #warm = new Map<string, Set<DailyRow>>();
  readonly #cold = new Map<string, ColdDay>();

  /** The days that have rows. */
  get days(): Iterable<string> {
    return [...this.#cold.keys(), ...this.#warm.keys()];
  }

  get coldDays(): ReadonlyMap<string, ColdDay> {
    return this.#cold;
  }

  /** Rows that may have changed since they were last read or written, by their days. */
  get warmDays(): ReadonlyMap<string, ReadonlySet<DailyRow>> {
    return this.#warm;
  }

  /** The rows of a day. Of a cold one these are copies. */
  ofDay(day: string): Iterable<Readonly<DailyRow>> {
    return this.#warm.get(day) ?? this.#cold.get(day)?.rows() ?? [];
  }

  /** Returns the totals of each row of a day. */
  listTotals(day: string): Iterable<Readonly<Totals>> {
    return this.#warm.get(day) ?? this.#cold.get(day)?.totals() ?? [];
  }

  /** Replaces a day's rows by a cold day. Rows still referenced become detached copies. */
  cool(day: string, cold: ColdDay): void {
    for (const [id, row] of super.entries()) if (row.day === day) super.delete(id);
    this.#warm.delete(day);
    this.#cold.set(day, cold);
  }

  override get(id: string): DailyRow | undefined {
    this.#warmUp(id.slice(0, "YYYY-MM-DD".length));
    return super.get(id);
  }

  override has(id: string): boolean {
    return this.get(id) !== undefined;
  }

  override set(id: string, row: DailyRow): this {
    this.#warmUp(row.day);
    const before = super.get(id);
    if (before !== undefined) this.#warm.get(before.day)?.delete(before);
    const rows = this.#warm.get(row.day);
    if (rows === undefined) this.#warm.set(row.day, new Set([row]));
    else rows.add(row);
    return super.set(id, row);
  }

  override clear(): void {
    this.#warm.clear();
    this.#cold.clear();
    super.clear();
  }

  override get size(): number {
    let size = super.size;
    for (const { count } of this.#cold.values()) size += count;
    return size;
  }

  override *values(): MapIterator<DailyRow> {
    for (const cold of this.#cold.values()) yield* cold.rows();
    yield* super.values();
  }

  override *entries(): MapIterator<[string, DailyRow]> {
    for (const cold of this.#cold.values()) for (const row of cold.rows()) yield [row.id, row];
    yield* super.entries();
  }

  override *keys(): MapIterator<string> {
    for (const [id] of this.entries()) yield id;
  }

  override [Symbol.iterator](): MapIterator<[string, DailyRow]> {
    return this.entries();
  }

  override forEach(each: (row: DailyRow, id: string, rows: Map<string, DailyRow>) => void): void {
    for (const [id, row] of this.entries()) each(row, id, this);
  }

  override delete(id: string): boolean {
    const row = this.get(id);
    if (row !== undefined) this.#warm.get(row.day)?.delete(row);
    return super.delete(id);
  }

  #warmUp(day: string): void {
    const cold = this.#cold.get(day);
    if (cold === undefined) return;
    this.#cold.delete(day);
    const rows = new Set<DailyRow>();
    for (const row of cold.rows()) {
      rows.add(row);
      super.set(row.id, row);
    }
    this.#warm.set(day, rows);
  }
}

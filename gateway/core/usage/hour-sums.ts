import type { UsageGroup } from "../../contract/usage.ts";
import type { DurationCounts } from "./durations.ts";
import { eachGroup, namesByGroup, NO_NUMBERS } from "./usage-columns.ts";
import type { NamesByGroup, UsageColumns, UsageSource } from "./usage-columns.ts";
import { HOUR_MS } from "./usage-period.ts";
import { SUMS, addTotals, emptyTotals, readTotals } from "./usage-totals.ts";
import type { Totals } from "../../contract/totals.ts";

/** Sums of UTC hours by one group, a row for each hour, name and endpoint, the oldest hour first. */
export interface SummedHours {
  readonly names: readonly string[];
  /** Hours since 1970. */
  readonly hours: Float64Array;
  /** Places in `names`. */
  readonly numbers: Uint32Array;
  readonly endpointNames: readonly string[];
  /** Places in `endpointNames`. */
  readonly endpoints: Uint32Array;
  /** Figures of each row, in the order of `SUMS`. */
  readonly sums: Float64Array;
  readonly durations: DurationCounts;
  readonly firstDurations: DurationCounts;
}

/** A source of usage by the hour. */
export class HourSums implements UsageSource {
  readonly names: NamesByGroup = namesByGroup();
  readonly #summed: SummedHours;
  readonly #groups: UsageColumns["groups"];
  /** The first row of each hour, and the row after its last one. */
  readonly #places = new Map<number, { readonly from: number; to: number }>();

  constructor(summed: SummedHours, by: UsageGroup) {
    this.#summed = summed;
    const renumber = (group: UsageGroup, names: readonly string[], places: Uint32Array): Uint32Array => {
      const own = names.map((name) => this.names[group].number(name));
      return places.map((place) => own[place] ?? 0);
    };
    const endpoint = renumber("endpoint", summed.endpointNames, summed.endpoints);
    this.#groups = { ...NO_NUMBERS, endpoint, [by]: renumber(by, summed.names, summed.numbers) };
    for (const [row, hour] of summed.hours.entries()) {
      const place = this.#places.get(hour);
      if (place === undefined) this.#places.set(hour, { from: row, to: row + 1 });
      else place.to = row + 1;
    }
  }

  at(begins: number): UsageColumns | undefined {
    const place = this.#places.get(Math.floor(begins / HOUR_MS));
    if (place === undefined) return undefined;
    const { from, to } = place;
    const { sums, durations, firstDurations } = this.#summed;
    return {
      rows: to - from,
      groups: eachGroup((group) => this.#groups[group].subarray(from, to)),
      sums: sums.subarray(from * SUMS.length, to * SUMS.length),
      durations: sliceRows(durations, from, to),
      firstDurations: sliceRows(firstDurations, from, to),
    };
  }

  /** Returns the totals of all hours. */
  total(): Totals {
    const total = emptyTotals();
    for (let row = 0; row < this.#summed.numbers.length; row += 1)
      addTotals(total, readTotals(this.#summed.sums, row * SUMS.length));
    return total;
  }
}

function sliceRows({ starts, buckets, counts }: DurationCounts, from: number, to: number): DurationCounts {
  const [first = 0, last = 0] = [starts[from], starts[to]];
  return {
    starts: starts.slice(from, to + 1).map((start) => start - first),
    buckets: buckets.subarray(first, last),
    counts: counts.subarray(first, last),
  };
}

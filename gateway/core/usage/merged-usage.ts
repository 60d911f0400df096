import type { UsageGroup } from "../../contract/usage.ts";
import { joinCounts, namesByGroup, NO_NUMBERS } from "./usage-columns.ts";
import type { NamesByGroup, UsageColumns, UsageSource } from "./usage-columns.ts";
import type { BucketPart, LocalPeriod } from "./local-period.ts";
import { SUMS } from "./usage-totals.ts";

type Sources = Readonly<Partial<Record<BucketPart["unit"], UsageSource>>>;

/** Buckets merged from several sources with different name numbers. */
export class MergedUsage implements UsageSource {
  readonly names: NamesByGroup = namesByGroup();
  readonly #sources: Sources;
  readonly #by: UsageGroup;
  readonly #parts: ReadonlyMap<number, readonly BucketPart[]>;

  /** @param by only names of this group and of endpoints are known afterwards */
  constructor(sources: Sources, { buckets, parts }: Pick<LocalPeriod, "buckets" | "parts">, by: UsageGroup) {
    this.#sources = sources;
    this.#by = by;
    this.#parts = new Map(buckets.map((at, place) => [at, parts[place] ?? []]));
  }

  at(begins: number): UsageColumns | undefined {
    const parts = (this.#parts.get(begins) ?? []).flatMap(({ unit, at }) => {
      const source = this.#sources[unit];
      const columns = source?.at(at, this.#by);
      return source === undefined || columns === undefined ? [] : [{ columns, names: source.names }];
    });
    if (parts.length === 0) return undefined;
    const columns = parts.map((part) => part.columns);
    const rows = columns.reduce((sum, one) => sum + one.rows, 0);
    const sums = new Float64Array(rows * SUMS.length);
    let place = 0;
    for (const one of columns) {
      sums.set(one.sums, place);
      place += one.sums.length;
    }
    const renumber = (group: UsageGroup): Uint32Array => {
      const numbers = new Uint32Array(rows);
      let row = 0;
      for (const { columns: one, names } of parts)
        for (let index = 0; index < one.rows; index += 1)
          numbers[row++] = this.names[group].number(names[group].text(one.groups[group][index] ?? 0));
      return numbers;
    };
    return {
      rows,
      groups: { ...NO_NUMBERS, endpoint: renumber("endpoint"), [this.#by]: renumber(this.#by) },
      sums,
      durations: joinCounts(columns.map(({ durations }) => durations)),
      firstDurations: joinCounts(columns.map(({ firstDurations }) => firstDurations)),
    };
  }
}

import type { UsageGroup } from "../../contract/usage.ts";
import { joinCounts, namesByGroup, NO_NUMBERS } from "./usage-columns.ts";
import type { NamesByGroup, UsageColumns, UsageNames, UsageSource } from "./usage-columns.ts";
import type { BucketPart, LocalPeriod } from "./local-period.ts";
import { SUMS } from "./usage-totals.ts";

type Sources = Readonly<Partial<Record<BucketPart["unit"], UsageSource>>>;

/** Buckets that are put together from parts of several sources, whose names have numbers of their own. */
export class MergedUsage implements UsageSource {
  readonly names: NamesByGroup = namesByGroup();
  readonly #sources: Sources;
  readonly #by: UsageGroup;
  readonly #parts: ReadonlyMap<number, readonly BucketPart[]>;

  /** @param by only this group's names are known afterwards */
  constructor(sources: Sources, { buckets, parts }: Pick<LocalPeriod, "buckets" | "parts">, by: UsageGroup) {
    this.#sources = sources;
    this.#by = by;
    this.#parts = new Map(buckets.map((at, place) => [at, parts[place] ?? []]));
  }

  at(begins: number): UsageColumns | undefined {
    const parts = (this.#parts.get(begins) ?? []).flatMap(({ unit, at }) => {
      const source = this.#sources[unit];
      const columns = source?.at(at, this.#by);
      return source === undefined || columns === undefined ? [] : [{ columns, names: source.names[this.#by] }];
    });
    if (parts.length === 0) return undefined;
    const columns = parts.map((part) => part.columns);
    const rows = columns.reduce((sum, one) => sum + one.rows, 0);
    const sums = new Float64Array(rows * SUMS.length);
    let [place, row] = [0, 0];
    const numbers = new Uint32Array(rows);
    const own = this.names[this.#by];
    for (const { columns: one, names } of parts) {
      sums.set(one.sums, place);
      place += one.sums.length;
      const known = one.groups[this.#by];
      for (let index = 0; index < one.rows; index += 1) numbers[row++] = renumberName(own, names, known[index] ?? 0);
    }
    return {
      rows,
      groups: { ...NO_NUMBERS, [this.#by]: numbers },
      sums,
      durations: joinCounts(columns.map(({ durations }) => durations)),
      firstDurations: joinCounts(columns.map(({ firstDurations }) => firstDurations)),
    };
  }
}

const renumberName = (own: UsageNames, names: UsageNames, number: number): number => own.number(names.text(number));

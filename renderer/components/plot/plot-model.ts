/** What a plot shows, without how it is drawn. Pure. */

export interface PlotSeries {
  readonly id: string;
  readonly label: string;
  /** One for each moment; null: nothing was measured. */
  readonly values: readonly (number | null)[];
  /** All that have no series of their own: drawn in a quiet colour. */
  readonly rest?: boolean;
}

export interface PlotModel {
  /** Bars stand on one another and have a total; lines do not. */
  readonly kind: "bars" | "lines";
  /** Beginnings of the buckets, Unix ms, ascending. */
  readonly at: readonly number[];
  readonly series: readonly PlotSeries[];
  /** A line across, as a budget, where it is within sight. */
  readonly reference?: { readonly label: string; readonly value: number };
}

/** How figures and moments of a plot are written. Keep it stable between renders. */
export interface PlotWriting {
  /** Short, for the axis. */
  tick(at: number): string;
  scale(value: number): string;
  /** Whole, for the crosshair and the table. */
  when(at: number): string;
  value(value: number): string;
  /** Plain, for files. */
  plainWhen(at: number): string;
  plainValue(value: number): string;
  /** Head of a column of plain values, as "gpt-5 (USD)". */
  plainHead(label: string): string;
}

export interface PlotWords {
  readonly time: string;
  readonly total: string;
  /** Where nothing was measured. */
  readonly none: string;
}

export const isEmpty = ({ series }: PlotModel): boolean =>
  series.every(({ values }) => values.every((value) => value === null || value === 0));

/** Sums of the series from the first on, for bars that stand on one another. */
export function stacked(series: readonly PlotSeries[]): number[][] {
  let below: readonly number[] = [];
  return series.map(({ values }) => {
    const tops = values.map((value, place) => (value ?? 0) + (below[place] ?? 0));
    below = tops;
    return tops;
  });
}

/** The figures of one bucket; of bars also what they add up to. */
export function figuresAt({ kind, series }: PlotModel, place: number): (number | null)[] {
  const values = series.map((one) => one.values[place] ?? null);
  return kind === "bars" ? [...values, values.reduce<number>((sum, value) => sum + (value ?? 0), 0)] : values;
}

export function headsOf({ kind, series }: PlotModel, words: PlotWords): string[] {
  const labels = series.map(({ label }) => label);
  return kind === "bars" ? [...labels, words.total] : labels;
}

/** The plot as a table of texts, head first: for reading, or plain for files. */
export function plotRows(model: PlotModel, writing: PlotWriting, words: PlotWords, plain: boolean): string[][] {
  const heads = headsOf(model, words);
  const write = plain ? writing.plainValue : writing.value;
  const when = plain ? writing.plainWhen : writing.when;
  return [
    [words.time, ...(plain ? heads.map(writing.plainHead) : heads)],
    ...model.at.map((at, place) => [
      when(at),
      ...figuresAt(model, place).map((value) => (value === null ? (plain ? "" : words.none) : write(value))),
    ]),
  ];
}

/** One bucket as a sentence. */
export function bucketInWords(model: PlotModel, writing: PlotWriting, words: PlotWords, place: number): string {
  const heads = headsOf(model, words);
  const told = figuresAt(model, place).map((value, index) => {
    const said = value === null ? words.none : writing.value(value);
    return { said: `${heads[index] ?? ""} ${said}`, zero: value === 0 && index < model.series.length };
  });
  // Of many bars most are empty at most times: the total says enough of those.
  const heard = told.filter(({ zero }) => model.kind === "lines" || !zero).toReversed();
  return `${writing.when(model.at[place] ?? 0)}: ${heard.map(({ said }) => said).join(", ")}`;
}

/**
 * Places of the buckets that get a label, so far apart that labels of `room` pixels touch neither one another nor what
 * stands beside the plot.
 */
export function labelled(count: number, width: number, room: number): number[] {
  const perBucket = width / Math.max(1, count);
  const step = Math.max(1, Math.ceil(room / Math.max(perBucket, 1 / room)));
  const middle = (place: number): number => (place + 0.5) * perBucket;
  const places: number[] = [];
  let place = 0;
  while (place < count && middle(place) < room / 2) place += 1;
  for (; place < count && middle(place) <= width - room / 2; place += step) places.push(place);
  // Of a plot that is narrower than two labels, the bucket in its middle.
  return places.length > 0 || count === 0 ? places : [Math.floor((count - 1) / 2)];
}

/** A week of days, a third of a day's hours. */
const PAGE = 7;

/** Where a key moves the crosshair; null: it is no such key. Without a crosshair it begins at the last bucket. */
export function movedBy(key: string, place: number | null, count: number): number | null {
  const last = count - 1;
  const from = Math.min(place ?? last, last);
  switch (key) {
    case "ArrowLeft":
    case "ArrowDown":
      return Math.max(0, from - 1);
    case "ArrowRight":
    case "ArrowUp":
      return Math.min(last, from + 1);
    case "Home":
      return 0;
    case "End":
      return last;
    case "PageDown":
      return Math.max(0, from - PAGE);
    case "PageUp":
      return Math.min(last, from + PAGE);
    default:
      return null;
  }
}

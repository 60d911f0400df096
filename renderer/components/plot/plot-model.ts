/** Model of a plot, without its drawing. Pure. */

export interface PlotSeries {
  readonly id: string;
  readonly label: string;
  /** Values, one per moment; null: not measured. */
  readonly values: readonly (number | null)[];
  /** All groups without their own series, drawn in a muted colour. */
  readonly rest?: boolean;
  /** Fixed index among the colours, if it differs from the series' index. */
  readonly hue?: number;
}

export interface PlotModel {
  /** Bars are stacked and have a total; lines are not. */
  readonly kind: "bars" | "lines";
  /** Beginnings of the buckets, Unix ms, ascending. */
  readonly at: readonly number[];
  readonly series: readonly PlotSeries[];
  /** Values of the period before, as one faint line: the bars' total, or the first of the lines. */
  readonly before?: { readonly label: string; readonly values: readonly (number | null)[] };
  /** A horizontal line, e.g. a budget, if within the visible range. */
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
  /** Text for unmeasured values. */
  readonly none: string;
}

export const isEmpty = ({ series }: PlotModel): boolean =>
  series.every(({ values }) => values.every((value) => value === null || value === 0));

const DENSE = 120;

/** Tells whether there are so many buckets that seams, dots and a second line would be clutter. */
export const isDense = ({ at }: Pick<PlotModel, "at">): boolean => at.length > DENSE;

/** Cumulative sums of the series, for stacked bars. */
export function stackSeries(series: readonly PlotSeries[]): number[][] {
  let below: readonly number[] = [];
  return series.map(({ values }) => {
    const tops = values.map((value, place) => (value ?? 0) + (below[place] ?? 0));
    below = tops;
    return tops;
  });
}

/** Returns the values of one bucket; for bars also their total, and the earlier period's last. */
export function getFigures(model: PlotModel, place: number): (number | null)[] {
  const values = model.series.map((one) => one.values[place] ?? null);
  const total = getTotal(model, place);
  return [...values, ...(total === null ? [] : [total]), ...listEarlier(model, place)];
}

/** Returns the earlier period's value; none if it is not shown. */
export const listEarlier = ({ before }: PlotModel, place: number): (number | null)[] =>
  before === undefined ? [] : [before.values[place] ?? null];

export function getHeads({ kind, series, before }: PlotModel, words: PlotWords): string[] {
  const labels = series.map(({ label }) => label);
  return [...labels, ...(kind === "bars" ? [words.total] : []), ...(before === undefined ? [] : [before.label])];
}

/** The plot as a table of texts, head first: for reading, or plain for files. */
export function listPlotRows(model: PlotModel, writing: PlotWriting, words: PlotWords, plain: boolean): string[][] {
  const heads = getHeads(model, words);
  const write = plain ? writing.plainValue : writing.value;
  const when = plain ? writing.plainWhen : writing.when;
  return [
    [words.time, ...(plain ? heads.map(writing.plainHead) : heads)],
    ...model.at.map((at, place) => [
      when(at),
      ...getFigures(model, place).map((value) => (value === null ? (plain ? "" : words.none) : write(value))),
    ]),
  ];
}

/** A figure of one bucket, and which series it is of. */
export interface PlotFigure {
  readonly series: PlotSeries;
  /** The series' place in the model. */
  readonly index: number;
  readonly value: number | null;
}

/**
 * Sorts the values of one bucket, largest first. Empty bars are omitted, as most of many bars are empty at most times.
 */
export function sortFigures({ kind, series }: PlotModel, place: number): PlotFigure[] {
  return series
    .map((one, index) => ({ series: one, index, value: one.values[place] ?? null }))
    .filter(({ value }) => kind === "lines" || (value !== null && value !== 0))
    .toSorted((a, b) => (b.value ?? -1) - (a.value ?? -1));
}

/** Returns the total of a bucket's bars; null for lines, which do not add up. */
export function getTotal({ kind, series }: PlotModel, place: number): number | null {
  return kind === "lines" ? null : series.reduce((sum, { values }) => sum + (values[place] ?? 0), 0);
}

/** Formats a bucket as a sentence: its total, then the largest first. */
export function formatBucketInWords(model: PlotModel, writing: PlotWriting, words: PlotWords, place: number): string {
  const say = (value: number | null): string => (value === null ? words.none : writing.value(value));
  const total = getTotal(model, place);
  const spoken = sortFigures(model, place).map(({ series, value }) => `${series.label} ${say(value)}`);
  if (total !== null) spoken.unshift(`${words.total} ${say(total)}`);
  for (const value of listEarlier(model, place)) spoken.push(`${model.before?.label ?? ""} ${say(value)}`);
  return `${writing.when(model.at[place] ?? 0)}: ${spoken.join(", ")}`;
}

/** Formats a bucket as a short line: the total of bars, each of the lines. */
export function formatBucketInShort(model: PlotModel, writing: PlotWriting, words: PlotWords, place: number): string {
  const total = getTotal(model, place);
  const figures =
    total === null
      ? model.series.map(({ label, values }) => {
          const value = values[place] ?? null;
          return `${label} ${value === null ? words.none : writing.value(value)}`;
        })
      : [writing.value(total)];
  return [writing.when(model.at[place] ?? 0), ...figures].join(" · ");
}

/** Returns the series whose bar is at a height above the base line; null without one. Lines have no area. */
export function getSeries({ kind, series }: PlotModel, place: number, height: number): number | null {
  if (kind === "lines" || height < 0) return null;
  const index = stackSeries(series).findIndex((tops) => height <= (tops[place] ?? 0));
  return index === -1 ? null : index;
}

/** Whether a bucket has anything in it. */
export const hasFigures = ({ series }: PlotModel, place: number): boolean =>
  series.some(({ values }) => (values[place] ?? 0) !== 0);

/** Which series are shown after a press on one of them in the legend; null: all. */
export function handlePress(
  shown: ReadonlySet<string> | null,
  id: string,
  adds: boolean,
  all: readonly string[],
): ReadonlySet<string> | null {
  if (!adds) return shown?.size === 1 && shown.has(id) ? null : new Set([id]);
  const next = new Set(shown ?? all);
  if (!next.delete(id)) next.add(id);
  return next.size === 0 || all.every((one) => next.has(one)) ? null : next;
}

/** The plot with the series that are shown, each in the colour that it has among all. */
export function visible(model: PlotModel, shown: ReadonlySet<string> | null): PlotModel {
  const series = model.series
    .map((one, place) => ({ ...one, hue: one.hue ?? place }))
    .filter(({ id }) => shown === null || shown.has(id));
  const { before, ...rest } = model;
  // The line of the time before is of all series.
  return shown === null && before !== undefined ? { ...rest, before, series } : { ...rest, series };
}

/**
 * Chooses the buckets with labels, so that labels of `room` pixels overlap neither each other nor the plot's
 * surroundings.
 */
export function chooseLabels(count: number, width: number, room: number): number[] {
  const perBucket = width / Math.max(1, count);
  const step = Math.max(1, Math.ceil(room / Math.max(perBucket, 1 / room)));
  const middle = (place: number): number => (place + 0.5) * perBucket;
  const places: number[] = [];
  let place = 0;
  while (place < count && middle(place) < room / 2) place += 1;
  for (; place < count && middle(place) <= width - room / 2; place += step) places.push(place);
  // If the plot is narrower than two labels, only its middle bucket is labelled.
  return places.length > 0 || count === 0 ? places : [Math.floor((count - 1) / 2)];
}

/** A week of days, a third of a day's hours. */
const PAGE = 7;

/** Returns the crosshair's place after a key; null for other keys. Without a crosshair it starts at the last bucket. */
export function moveCrosshair(key: string, place: number | null, count: number): number | null {
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

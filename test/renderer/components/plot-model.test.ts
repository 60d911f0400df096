import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  formatBucketInShort,
  formatBucketInWords,
  getFigures,
  isEmpty,
  chooseLabels,
  moveCrosshair,
  listPlotRows,
  handlePress,
  getSeries,
  sortFigures,
  stackSeries,
  visible,
  type PlotModel,
  type PlotWriting,
} from "../../../renderer/components/plot/plot-model.ts";

const writing: PlotWriting = {
  tick: String,
  scale: String,
  when: (at) => `at ${at}`,
  value: (value) => `$${value}`,
  plainWhen: (at) => `t${at}`,
  plainValue: String,
  plainHead: (label) => `${label} (USD)`,
};
const words = { time: "Time", total: "Total", none: "–" };
const bars: PlotModel = {
  kind: "bars",
  at: [1, 2],
  series: [
    { id: "a", label: "A", values: [1, 0] },
    { id: "b", label: "B", values: [2, 5] },
  ],
};
const lines: PlotModel = { kind: "lines", at: [1, 2], series: [{ id: "p", label: "p50", values: [null, 7] }] };

test("bars are read with their total, lines without one, and what was not measured is not a zero", () => {
  expect(listPlotRows(bars, writing, words, false)).toEqual([
    ["Time", "A", "B", "Total"],
    ["at 1", "$1", "$2", "$3"],
    ["at 2", "$0", "$5", "$5"],
  ]);
  expect(listPlotRows(lines, writing, words, true)).toEqual([
    ["Time", "p50 (USD)"],
    ["t1", ""],
    ["t2", "7"],
  ]);
});

test("a bucket is said from its total down, without the bars that are not there", () => {
  expect(formatBucketInWords(bars, writing, words, 1)).toBe("at 2: Total $5, B $5");
  expect(formatBucketInWords(lines, writing, words, 0)).toBe("at 1: p50 –");
});

test("a bucket is reported with the largest first; in short, by its total or by each line", () => {
  expect(sortFigures(bars, 0).map(({ series, value }) => [series.label, value])).toEqual([
    ["B", 2],
    ["A", 1],
  ]);
  expect(formatBucketInWords(bars, writing, words, 0)).toBe("at 1: Total $3, B $2, A $1");
  expect(formatBucketInShort(bars, writing, words, 0)).toBe("at 1 · $3");
  expect(formatBucketInShort(lines, writing, words, 0)).toBe("at 1 · p50 –");
});

test.each([
  [0, 0.5, 0],
  [0, 1, 0],
  [0, 1.5, 1],
  [0, 3.5, null],
  [1, 0.5, 1],
  [1, -1, null],
])("in bucket %i at %d stands series %s", (place, height, index) => {
  expect(getSeries(bars, place, height)).toBe(index);
  expect(getSeries(lines, place, height)).toBeNull();
});

test("a press in the legend shows one series, a second all; with Shift it adds or takes away", () => {
  const all = ["a", "b", "c"];
  const after = (shown: string[] | null, id: string, adds: boolean): string[] | null => {
    const next = handlePress(shown === null ? null : new Set(shown), id, adds, all);
    return next === null ? null : [...next].toSorted();
  };
  expect(after(null, "b", false)).toEqual(["b"]);
  expect(after(["b"], "b", false)).toBeNull();
  expect(after(["b"], "a", false)).toEqual(["a"]);
  expect(after(["a", "b"], "b", false)).toEqual(["b"]);
  expect(after(["b"], "a", true)).toEqual(["a", "b"]);
  expect(after(["a", "b"], "c", true)).toBeNull();
  expect(after(["b"], "b", true)).toBeNull();
  expect(after(null, "b", true)).toEqual(["a", "c"]);
});

test("a series that is shown alone keeps its colour", () => {
  expect(visible(bars, new Set(["b"])).series).toMatchObject([{ id: "b", hue: 1 }]);
  expect(visible(bars, null).series).toMatchObject([{ hue: 0 }, { hue: 1 }]);
});

test("a plot without a figure is empty", () => {
  expect([bars, lines, { ...bars, series: [] }].map(isEmpty)).toEqual([false, false, true]);
  expect(isEmpty({ ...bars, series: [{ id: "a", label: "A", values: [0, null] }] })).toBe(true);
});

test("the last of stacked bars ends at the total", () => {
  const values = fc.array(fc.nat(1_000), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(values, { minLength: 1, maxLength: 9 }), (all) => {
      const model: PlotModel = { ...bars, series: all.map((one, id) => ({ id: `${id}`, label: "", values: one })) };
      const tops = stackSeries(model.series);
      for (const place of [0, 1, 2]) expect(tops.at(-1)?.[place]).toBe(getFigures(model, place).at(-1));
    }),
  );
});

test.each([
  [30, 1_000, [1, 3, 5]],
  [30, 300, [3, 10, 17]],
  [1, 300, [0]],
  [3, 40, [1]],
  [0, 300, []],
])("of %i buckets in %i pixels the first labels are %j", (count, width, first) => {
  expect(chooseLabels(count, width, 64).slice(0, 3)).toEqual(first);
});

test("labels keep clear of the plot's ends, where those of the other axis stand", () => {
  const sizes = [fc.integer({ min: 1, max: 1_100 }), fc.integer({ min: 64, max: 2_000 })] as const;
  fc.assert(
    fc.property(...sizes, (count, width) => {
      const middles = chooseLabels(count, width, 64).map((place) => ((place + 0.5) * width) / count);
      if (middles.length === 1) return;
      expect(middles[0]).toBeGreaterThanOrEqual(32);
      expect(middles.at(-1)).toBeLessThanOrEqual(width - 32);
    }),
  );
});

test.each([
  ["ArrowLeft", null, 28],
  ["ArrowRight", null, 29],
  ["ArrowLeft", 0, 0],
  ["ArrowRight", 4, 5],
  ["Home", 9, 0],
  ["End", 9, 29],
  ["PageDown", 9, 2],
  ["PageUp", 27, 29],
  ["ArrowLeft", 99, 28],
  ["x", 9, null],
])("%s moves the crosshair from %s to %s", (key, place, to) => {
  expect(moveCrosshair(key, place, 30)).toBe(to);
});

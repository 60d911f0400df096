import UPlot from "uplot";
import { isDense, chooseLabels, stackSeries, type PlotModel, type PlotWriting } from "./plot-model.ts";
import { getColour, type Paint } from "./plot-paint.ts";

/** Current data to draw: it may change while the plot stays. */
export interface Shown {
  readonly model: PlotModel;
  readonly writing: PlotWriting;
}

const LABEL_PX = 64;
const FONT_PX = 12;
/** Max width of a digit in the system's font at that size, in pixels. */
const DIGIT_PX = 7;
const DASH = [5, 4];
const BEFORE_DASH = [2, 3];
/** A budget far above all bars would make them invisible: then its sentence has to do. */
const REFERENCE_WITHIN = 2;

export function getPlotData({ kind, at, series, before }: PlotModel): UPlot.AlignedData {
  const places = at.map((_, place) => place);
  const earlier =
    before === undefined
      ? []
      : [withoutFlats(places.map((place) => (isDense({ at }) ? null : (before.values[place] ?? null))))];
  if (kind === "lines") return [places, ...series.map(({ values }) => [...values]), ...earlier];
  // An empty bucket has no bar, because its outline would cut the base line.
  const bars = stackSeries(series).map((tops, index) =>
    tops.map((top, place) => ((series[index]?.values[place] ?? 0) > 0 ? top : null)),
  );
  // The tallest first: each lower bar is drawn over it.
  return [places, ...bars.toReversed(), ...earlier];
}

/** A line along zero would cut the base line into dashes. */
function withoutFlats(values: readonly (number | null)[]): (number | null)[] {
  const none = (place: number): boolean => (values[place] ?? 0) === 0;
  return values.map((value, place) => (none(place) && none(place - 1) && none(place + 1) ? null : value));
}

export interface PlotSetup {
  readonly shown: () => Shown;
  readonly paint: Paint;
  readonly width: number;
  readonly height: number;
  /** Called with the crosshair's place on mouse moves; null: outside the plot. */
  readonly onPlace: (place: number | null) => void;
}

/** Creates the canvas. Buckets are placed by index rather than time, so no time zone matters. */
export function makePlot(parent: HTMLElement, setup: PlotSetup): UPlot {
  const { shown, paint, width, height, onPlace } = setup;
  const { model } = shown();
  const font = `${FONT_PX}px ${paint.font}`;
  const axis = { font, stroke: paint.faint, ticks: { show: false } };
  const options: UPlot.Options = {
    width,
    height,
    legend: { show: false },
    padding: [8, 8, 0, 0],
    cursor: {
      y: false,
      drag: { x: false, y: false },
      points: { show: model.kind === "lines", size: 7 },
      // The crosshair snaps to the middle of its bucket.
      move: (plot, left, top) => [left < 0 ? left : Math.round(plot.valToPos(plot.posToIdx(left), "x")), top],
    },
    scales: {
      x: { time: false, range: () => [-0.5, Math.max(0.5, shown().model.at.length - 0.5)] },
      y: { range: (_plot, _least, most) => [0, highest(shown().model, most)] },
    },
    axes: [
      {
        ...axis,
        size: 26,
        gap: 4,
        grid: { show: false },
        splits: (plot) => chooseLabels(shown().model.at.length, plot.bbox.width / devicePixelRatio, LABEL_PX),
        values: (_plot, places) => places.map((place) => shown().writing.tick(shown().model.at[place] ?? 0)),
      },
      {
        ...axis,
        gap: 6,
        grid: { stroke: paint.line, width: 1 },
        values: (_plot, values) => values.map((value) => shown().writing.scale(value)),
        size: (_plot, labels) => Math.max(36, ...(labels ?? []).map((label) => label.length * DIGIT_PX + 12)),
        space: 36,
      },
    ],
    series: [{}, ...getSeries(model, paint), ...(model.before === undefined ? [] : [beforeLine(paint)])],
    hooks: {
      setCursor: [(plot) => onPlace(plot.cursor.idx ?? null)],
      draw: [(plot) => drawReference(plot, shown().model, paint)],
    },
  };
  return new UPlot(options, getPlotData(model), parent);
}

function highest({ reference }: PlotModel, most: number): number {
  const top = most > 0 ? most : 1;
  return (reference !== undefined && inSight(reference.value, top) ? Math.max(top, reference.value) : top) * 1.06;
}

const inSight = (value: number, top: number): boolean => value <= top * REFERENCE_WITHIN;

function getSeries(model: PlotModel, paint: Paint): UPlot.Series[] {
  const { kind, series } = model;
  const dense = isDense(model);
  if (kind === "lines") {
    return series.map((one, place) => {
      const stroke = getColour(paint, one, place);
      return {
        stroke,
        width: 1.5,
        spanGaps: false,
        // Colour is never the only distinction: every line after the first is dashed.
        ...((one.hue ?? place) > 0 && { dash: DASH }),
        points: { show: !dense, size: 4, fill: stroke, stroke },
      };
    });
  }
  const bars = UPlot.paths.bars?.({ size: [dense ? 1 : 0.72, 44], radius: 0 });
  return series
    .map((one, place) => ({
      fill: getColour(paint, one, place),
      // A seam in the ground's colour parts one from the next.
      stroke: paint.surface,
      width: dense ? 0 : 1,
      ...(bars !== undefined && { paths: bars }),
      points: { show: false },
    }))
    .toReversed();
}

/** Drawn over the bars, so that it is visible. */
function beforeLine({ faint }: Paint): UPlot.Series {
  return { stroke: faint, width: 1.25, dash: BEFORE_DASH, spanGaps: false, points: { show: false } };
}

function drawReference(plot: UPlot, { reference }: PlotModel, paint: Paint): void {
  if (reference === undefined || reference.value > (plot.scales["y"]?.max ?? 0)) return;
  const { ctx, bbox } = plot;
  const y = Math.round(plot.valToPos(reference.value, "y", true)) + 0.5;
  ctx.save();
  ctx.beginPath();
  ctx.setLineDash(DASH.map((part) => part * devicePixelRatio));
  ctx.lineWidth = devicePixelRatio;
  ctx.strokeStyle = paint.warning;
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.font = `${FONT_PX * devicePixelRatio}px ${paint.font}`;
  ctx.fillStyle = paint.warning;
  ctx.textBaseline = "bottom";
  ctx.textAlign = "left";
  ctx.fillText(reference.label, bbox.left + 4 * devicePixelRatio, y - 2 * devicePixelRatio);
  ctx.restore();
}

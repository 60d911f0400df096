import type { PlotSeries } from "./plot-model.ts";
import { getColour, type Paint } from "./plot-paint.ts";

export interface PictureParts {
  readonly canvas: HTMLCanvasElement;
  readonly title: string;
  readonly period: string;
  readonly legend: readonly Pick<PlotSeries, "label" | "rest" | "hue">[];
  readonly paint: Paint;
}

const PAD = 16;
const LINE = 20;
const SWATCH = 9;

/** The plot with its title and its legend as a PNG, on the ground that it stands on. */
export function getPlotPicture({ canvas, title, period, legend, paint }: PictureParts): Promise<Blob> {
  const ratio = devicePixelRatio;
  const [width, height] = [canvas.width / ratio + 2 * PAD, canvas.height / ratio];
  const picture = document.createElement("canvas");
  const context = picture.getContext("2d");
  if (context === null) throw new Error("The browser gives no canvas.");
  const meta = `12px ${paint.font}`;
  context.font = meta;
  const places = placeLabels(legend, (text) => context.measureText(text).width, width - 2 * PAD);
  const top = PAD + LINE + (places.at(-1)?.line ?? 0) * LINE + LINE + 8;
  picture.width = width * ratio;
  picture.height = (top + height + PAD) * ratio;
  context.scale(ratio, ratio);
  context.fillStyle = paint.surface;
  context.fillRect(0, 0, width, top + height + PAD);
  context.fillStyle = paint.text;
  context.font = `600 13px ${paint.font}`;
  context.fillText(title, PAD, PAD + 11);
  const titleWidth = context.measureText(title).width;
  context.font = meta;
  context.fillStyle = paint.faint;
  context.fillText(period, PAD + titleWidth + 10, PAD + 11);
  for (const [index, { left, line }] of places.entries()) {
    const { label = "", ...look } = legend[index] ?? {};
    const y = PAD + LINE + line * LINE;
    context.fillStyle = getColour(paint, look, index);
    context.fillRect(PAD + left, y + 3, SWATCH, SWATCH);
    context.fillStyle = paint.text;
    context.fillText(label, PAD + left + SWATCH + 6, y + 11);
  }
  context.drawImage(canvas, PAD, top, canvas.width / ratio, height);
  return new Promise((resolve, reject) => {
    picture.toBlob((blob) => (blob === null ? reject(new Error("The browser made no PNG.")) : resolve(blob)));
  });
}

/** Returns the position of each label of the legend, in lines of `width` pixels. */
function placeLabels(
  legend: PictureParts["legend"],
  widthOf: (text: string) => number,
  width: number,
): { readonly left: number; readonly line: number }[] {
  let [left, line] = [0, 0];
  return legend.map(({ label }) => {
    const itemWidth = SWATCH + 6 + widthOf(label) + 18;
    if (left > 0 && left + itemWidth > width) [left, line] = [0, line + 1];
    const place = { left, line };
    left += itemWidth;
    return place;
  });
}

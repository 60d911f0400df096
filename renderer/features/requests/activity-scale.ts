import type { ActivityBucket, RequestActivity } from "../../../gateway/contract/requests.ts";

/** Units of the chart's width, which the page stretches to the available space. */
export const WIDTH = 600;
export const HEIGHT = 40;
/** Between two bars, of the width of one. */
const GAP = 0.2;
/** Min bar height, so that a single request among thousands is visible. */
const LEAST = 2;

type Figure = (bucket: ActivityBucket) => number | null;

/** Builds the bars of a value as one path on the base line. @param most value at the upper edge */
export function getBars(buckets: readonly ActivityBucket[], figure: Figure, most: number): string {
  const width = WIDTH / buckets.length;
  return buckets
    .flatMap((bucket, index) => {
      const value = figure(bucket) ?? 0;
      if (value === 0 || most === 0) return [];
      const height = Math.max(LEAST, (value / most) * (HEIGHT - 1));
      const x = (index + GAP / 2) * width;
      return [
        `M${x.toFixed(1)} ${HEIGHT}v${(-height).toFixed(1)}h${(width * (1 - GAP)).toFixed(1)}v${height.toFixed(1)}z`,
      ];
    })
    .join("");
}

/** Returns the line of a figure over time, with gaps at missing values; an isolated value is a short stroke. */
export function getLines(buckets: readonly ActivityBucket[], figure: Figure, most: number): string {
  const width = WIDTH / buckets.length;
  let path = "";
  let open = false;
  for (const [index, bucket] of buckets.entries()) {
    const value = figure(bucket);
    if (value === null || most === 0) {
      open = false;
      continue;
    }
    const x = (index + 0.5) * width;
    const y = (HEIGHT - 1 - (value / most) * (HEIGHT - 2)).toFixed(1);
    path += open ? `L${x.toFixed(1)} ${y}` : `M${(x - width * 0.3).toFixed(1)} ${y}L${x.toFixed(1)} ${y}`;
    open = true;
  }
  return path;
}

/** Returns the max of a figure; 0 without values. */
export const findMax = (buckets: readonly ActivityBucket[], figure: Figure): number =>
  buckets.reduce((most, bucket) => Math.max(most, figure(bucket) ?? 0), 0);

/** The place of the bucket at a part of the width, from 0 to 1. */
export const getPlace = (part: number, count: number): number =>
  Math.max(0, Math.min(count - 1, Math.floor(part * count)));

/** Returns the time from one bucket to another, in either order, limited to the requested range. */
export function getTime(
  { from, to, bucket_ms, buckets }: RequestActivity,
  one: number,
  other: number,
): { readonly since: number; readonly until: number } {
  const [first, last] = [buckets[Math.min(one, other)], buckets[Math.max(one, other)]];
  return { since: Math.max(from, first?.at ?? from), until: Math.min(to, (last?.at ?? to) + bucket_ms) };
}

/**
 * The mark, an arched gate, rasterised from the same geometry as renderer/assets/mark.svg: strokes with round ends on a
 * grid of 16 by 16. The tray needs it in three colours at every scale of every display, so it is computed.
 */

type Point = readonly [x: number, y: number];

const GRID = 16;
const HALF_STROKE = 0.8;
const ARCH = { centre: [8, 7.5] as Point, radius: 5.7 };
const BARS: readonly (readonly [Point, Point])[] = [
  [
    [2.3, 14.2],
    [2.3, 7.5],
  ],
  [
    [13.7, 14.2],
    [13.7, 7.5],
  ],
  [
    [6.1, 14.2],
    [6.1, 5.9],
  ],
  [
    [9.9, 14.2],
    [9.9, 5.9],
  ],
  [
    [2.3, 9.6],
    [13.7, 9.6],
  ],
];

function distanceToBar([x, y]: Point, [[ax, ay], [bx, by]]: readonly [Point, Point]): number {
  const along = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2);
  const t = Math.max(0, Math.min(1, along));
  return Math.hypot(x - ax - t * (bx - ax), y - ay - t * (by - ay));
}

/** Distance to the arch's upper half; its lower half is not drawn, and it ends in two bars. */
function distanceToArch([x, y]: Point): number {
  const [cx, cy] = ARCH.centre;
  return y > cy ? Infinity : Math.abs(Math.hypot(x - cx, y - cy) - ARCH.radius);
}

/**
 * How much of each pixel the mark covers.
 * @param size width and height in pixels.
 * @returns `size * size` values of 0 to 255, row by row from the top.
 */
export function markCoverage(size: number): Uint8Array {
  const coverage = new Uint8Array(size * size);
  const scale = size / GRID;
  for (let index = 0; index < coverage.length; index++) {
    const at: Point = [((index % size) + 0.5) / scale, (Math.floor(index / size) + 0.5) / scale];
    const distance = Math.min(distanceToArch(at), ...BARS.map((bar) => distanceToBar(at, bar)));
    const inside = (HALF_STROKE - distance) * scale + 0.5;
    coverage[index] = Math.round(255 * Math.max(0, Math.min(1, inside)));
  }
  return coverage;
}

/**
 * The mark in one grey, as the bitmap that Electron takes: four bytes a pixel, colours multiplied by alpha. For a grey
 * the order of the channels, which differs by platform, does not matter.
 * @param grey 0 for black, 255 for white.
 */
export function markBitmap(size: number, grey: number): Uint8Array {
  const bitmap = new Uint8Array(size * size * 4);
  markCoverage(size).forEach((alpha, index) => {
    bitmap.fill(Math.round((grey * alpha) / 255), index * 4, index * 4 + 3);
    bitmap[index * 4 + 3] = alpha;
  });
  return bitmap;
}

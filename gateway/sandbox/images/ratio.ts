/** Sides are whole numbers of these pixels, as providers make them. */
const STEP = 16;
const WIDEST = 21;

/**
 * Width and height of a picture of about as many pixels as a square of `side`.
 * @param ratio as `16:9` or `9:19.5`; null is returned for anything else.
 */
export function sidesOfRatio(ratio: string, side: number): readonly [width: number, height: number] | null {
  const [wide = Number.NaN, high = Number.NaN, ...rest] = ratio.split(":").map(Number);
  if (rest.length > 0 || !(wide > 0 && high > 0 && wide <= WIDEST && high <= WIDEST)) return null;
  const stretch = Math.sqrt(wide / high);
  return [rounded(side * stretch), rounded(side / stretch)];
}

function rounded(length: number): number {
  return Math.max(STEP, Math.round(length / STEP) * STEP);
}

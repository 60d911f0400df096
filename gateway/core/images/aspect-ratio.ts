/**
 * Returns the nearest ratio of a list on a logarithmic scale: twice as wide and half as wide are equally far from a
 * square.
 * @param ratios as `16:9` or `19.5:9`; at least one.
 */
export function findNearestRatio(width: number, height: number, ratios: readonly string[]): string {
  const distance = (ratio: string): number => {
    const [wide = 1, high = 1] = ratio.split(":").map(Number);
    return Math.abs(Math.log(width / height / (wide / high)));
  };
  return ratios.reduce((nearest, ratio) => (distance(ratio) < distance(nearest) ? ratio : nearest));
}

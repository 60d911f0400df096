import type { ReactNode } from "react";

const [WIDTH, HEIGHT] = [56, 18];

/** Max points that are distinguishable at this width. */
const MOST_POINTS = 31;

/** Sums of as many neighbours as it takes to be few. */
function inSteps(all: readonly number[]): readonly number[] {
  const step = Math.ceil(all.length / MOST_POINTS);
  if (step < 2) return all;
  return Array.from({ length: Math.floor(all.length / step) }, (_, place) =>
    all.slice(place * step, (place + 1) * step).reduce((sum, value) => sum + value, 0),
  );
}

/** Sparkline of a group's values, without a scale. Drawn with attributes, because the CSP allows no inline style. */
export function Trend({ values: all }: { readonly values: readonly number[] }): ReactNode {
  const values = inSteps(all);
  const most = values.reduce((top, value) => Math.max(top, value), 0);
  if (most === 0 || values.length < 2) return null;
  const step = WIDTH / (values.length - 1);
  const points = values.map((value, place) => {
    const y = HEIGHT - 1 - (value / most) * (HEIGHT - 2);
    return `${(place * step).toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <svg
      aria-hidden
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="inline-block text-accent"
    >
      <polygon points={`0,${HEIGHT} ${points.join(" ")} ${WIDTH},${HEIGHT}`} fill="currentColor" opacity="0.15" />
      <polyline points={points.join(" ")} fill="none" stroke="currentColor" strokeWidth="1.25" strokeLinejoin="round" />
    </svg>
  );
}

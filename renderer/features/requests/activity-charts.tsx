/* oxlint-disable jsx-a11y/prefer-tag-over-role -- An SVG in the page is an image by its role; what a pointer does on it the table next to it does by keys. */
import { useState, type PointerEvent, type ReactNode } from "react";
import type { RequestActivity } from "../../../gateway/contract/requests.ts";
import { formatCount, formatDuration } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { HEIGHT, WIDTH, getBars, getLines, findMax, getPlace } from "./activity-scale.ts";

export interface ActivityChartsProps {
  /** Undefined while loading; its space is reserved. */
  readonly activity: RequestActivity | undefined;
  /** The places under the pointer: one, or those that are dragged over. */
  readonly pointed: readonly [number, number] | null;
  readonly onPoint: (places: readonly [number, number] | null) => void;
  readonly onNarrow: (one: number, other: number) => void;
}

/** Requests over time as bars, and how long they took as lines. A press on a bar, or a drag, narrows the time. */
export function ActivityCharts({ activity, pointed, onPoint, onNarrow }: ActivityChartsProps): ReactNode {
  const words = useMessages().requestLog.activity;
  const [dragged, drag] = useState<number | null>(null);
  const buckets = activity?.buckets ?? [];
  const most = findMax(buckets, ({ count }) => count);
  const slowest = findMax(buckets, ({ p95_ms }) => p95_ms);

  const placeOf = (event: PointerEvent): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return getPlace((event.clientX - left) / width, buckets.length);
  };
  const pointer = {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0 || buckets.length === 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      drag(placeOf(event));
      onPoint([placeOf(event), placeOf(event)]);
    },
    onPointerMove: (event: PointerEvent) => {
      if (buckets.length > 0) onPoint([dragged ?? placeOf(event), placeOf(event)]);
    },
    onPointerUp: (event: PointerEvent) => {
      if (dragged === null) return;
      drag(null);
      onPoint(null);
      onNarrow(dragged, placeOf(event));
    },
    onPointerLeave: () => {
      if (dragged === null) onPoint(null);
    },
    onPointerCancel: () => {
      drag(null);
      onPoint(null);
    },
  };
  const marked = pointed === null ? null : <Marked places={pointed} count={buckets.length} />;
  return (
    <div className="grid gap-3 px-3 pt-1 pb-2.5 min-[560px]:grid-cols-2">
      <figure className="relative m-0 min-w-0">
        <Chart label={words.counts(formatCount(activity?.total ?? 0), formatCount(activity?.failed ?? 0))} {...pointer}>
          {marked}
          <path d={getBars(buckets, ({ count }) => count, most)} fill="var(--plot-1)" opacity="0.75" />
          <path d={getBars(buckets, ({ failed }) => failed, most)} fill="var(--danger)" />
        </Chart>
        <Legend text={words.most(formatCount(most))} />
      </figure>
      <figure className="relative m-0 min-w-0">
        <Chart label={words.latency(formatDuration(slowest))} {...pointer}>
          {marked}
          <path d={getLines(buckets, ({ p95_ms }) => p95_ms, slowest)} {...stroke} stroke="var(--plot-2)" />
          <path d={getLines(buckets, ({ p50_ms }) => p50_ms, slowest)} {...stroke} stroke="var(--plot-1)" />
        </Chart>
        <Legend text={words.latencyMost(formatDuration(slowest))} />
      </figure>
    </div>
  );
}

const stroke = { fill: "none", strokeWidth: 1.5, vectorEffect: "non-scaling-stroke" } as const;

interface ChartProps {
  readonly label: string;
  readonly children: ReactNode;
  readonly onPointerDown: (event: PointerEvent) => void;
  readonly onPointerMove: (event: PointerEvent) => void;
  readonly onPointerUp: (event: PointerEvent) => void;
  readonly onPointerLeave: () => void;
  readonly onPointerCancel: () => void;
}

function Chart({ label, children, ...pointer }: ChartProps): ReactNode {
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="block h-10 w-full cursor-crosshair touch-pan-y border-b border-line"
      {...pointer}
    >
      {children}
    </svg>
  );
}

function Marked({
  places: [one, other],
  count,
}: {
  readonly places: readonly [number, number];
  readonly count: number;
}) {
  const width = WIDTH / count;
  return (
    <rect
      x={Math.min(one, other) * width}
      y={0}
      width={(Math.abs(other - one) + 1) * width}
      height={HEIGHT}
      fill="var(--accent-soft)"
      className="forced-colors:fill-[Highlight]"
    />
  );
}

/** Label of the value at the upper edge. */
function Legend({ text }: { readonly text: string }): ReactNode {
  return (
    <figcaption className="numeric pointer-events-none absolute top-0 left-0 rounded-sm bg-surface/80 px-1 text-meta text-faint">
      {text}
    </figcaption>
  );
}

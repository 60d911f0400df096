import type { ReactNode } from "react";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { RECENT_ROWS } from "../../api/live.ts";
import { useRecentRequests } from "../../api/queries.ts";
import { formatDuration } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { routeHash } from "../../lib/router.ts";

/** Max bars that fit. */
const BARS = 40;
const WIDTH = 120;
const HEIGHT = 20;
/** So that the shortest can be seen. */
const LEAST = 2;

export interface Latencies {
  /** Oldest first, total time in ms; `ok` if the response was complete. */
  readonly bars: readonly { readonly ms: number; readonly ok: boolean }[];
  readonly failed: number;
  /** Median of completed requests, ms; null without any. */
  readonly p50: number | null;
}

/** Returns latencies of requests listed newest first; cancelled ones are excluded. */
export function getLatencies(receipts: readonly Pick<Receipt, "ms" | "outcome">[]): Latencies {
  const bars = receipts
    .filter(({ outcome }) => outcome !== "cancelled")
    .slice(0, BARS)
    .toReversed()
    .map(({ ms, outcome }) => ({ ms, ok: outcome === "completed" }));
  const done = bars.filter(({ ok }) => ok).toSorted((a, b) => a.ms - b.ms);
  return { bars, failed: bars.length - done.length, p50: done[Math.floor((done.length - 1) / 2)]?.ms ?? null };
}

/** Latencies of a connection's recent requests as bars, linked to them. Its space is reserved while loading. */
export function LatencySparkline({ connection }: { readonly connection: string }): ReactNode {
  const t = useMessages();
  const { data } = useRecentRequests({ connection });
  const { bars, failed, p50 } = getLatencies(data?.data.slice(0, RECENT_ROWS) ?? []);
  if (bars.length === 0) return <span className="block h-5 w-30 shrink-0" />;
  const words =
    p50 === null
      ? t.connections.noLatency(bars.length)
      : t.connections.latency(bars.length, formatDuration(p50), failed);
  const most = Math.max(...bars.map(({ ms }) => ms), 1);
  const step = WIDTH / BARS;
  return (
    <a
      href={routeHash("requests", { connection })}
      title={words}
      aria-label={words}
      className="block h-5 w-30 shrink-0"
    >
      <svg width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden>
        {bars.map(({ ms, ok }, index) => {
          const height = Math.max(LEAST, (ms / most) * HEIGHT);
          return (
            <rect
              key={index}
              x={(BARS - bars.length + index) * step}
              y={HEIGHT - height}
              width={step - 1}
              height={height}
              className={ok ? "fill-accent" : "fill-danger"}
            />
          );
        })}
      </svg>
    </a>
  );
}

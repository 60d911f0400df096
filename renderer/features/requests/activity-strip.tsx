import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ChartColumn, Table2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { RequestActivity } from "../../../gateway/contract/requests.ts";
import type { RequestFilter } from "../../../gateway/contract/list.ts";
import { useGateway } from "../../api/gateway.tsx";
import { IconButton } from "../../components/ui/button.tsx";
import { Money } from "../../components/ui/figures.tsx";
import { Failure } from "../../components/ui/states.tsx";
import { formatCount, formatDuration, formatMoment, formatMoney } from "../../lib/format.ts";
import { useSpeech } from "../../lib/i18n.tsx";
import { navigate, parseRoute, replaceParams } from "../../lib/router.ts";
import { ActivityCharts } from "./activity-charts.tsx";
import { ActivityTable } from "./activity-table.tsx";
import { getTime } from "./activity-scale.ts";
import { noTime } from "./request-filter.ts";

/** Refetch interval in ms, because counting makes the gateway read its log. */
const RENEW_EVERY_MS = 10_000;

export interface ActivityStripProps {
  readonly filter: Partial<RequestFilter>;
  readonly paused: boolean;
}

/** Activity of the filtered requests over time: count, failures, cost and duration. */
export function ActivityStrip({ filter, paused }: ActivityStripProps): ReactNode {
  const { t, language } = useSpeech();
  const words = t.requestLog.activity;
  const { client } = useGateway();
  const { data, error, refetch } = useQuery({
    queryKey: ["requestActivity", filter],
    queryFn: ({ signal }) => client.call("requestActivity", filter, undefined, signal),
    placeholderData: keepPreviousData,
    refetchInterval: paused ? false : RENEW_EVERY_MS,
  });
  const [asTable, setAsTable] = useState(false);
  const [pointed, point] = useState<readonly [number, number] | null>(null);

  const narrow = (one: number, other: number): void => {
    if (data === undefined) return;
    const { since, until } = getTime(data, one, other);
    const { params } = parseRoute(location.hash);
    // A history entry, so that Back returns to the longer range.
    navigate("requests", { ...Object.fromEntries(params), ...noTime, since: String(since), until: String(until) });
  };
  if (data === undefined && error !== null) {
    return (
      <section className="panel mb-3" aria-label={words.title}>
        <Failure error={error} onRetry={() => void refetch()} />
      </section>
    );
  }
  return (
    <section className="panel mb-3" aria-label={words.title} aria-busy={data === undefined || undefined}>
      <div className="flex min-h-9 items-center gap-x-3 pt-1 pr-1.5 pl-3">
        {data !== undefined && <Sums activity={data} filter={filter} />}
        <output className="numeric min-w-0 grow truncate text-right text-meta text-muted max-wide:opacity-0">
          {data !== undefined && pointed !== null ? readout(data, pointed, words, language) : ""}
        </output>
        <IconButton
          label={asTable ? words.showChart : words.showTable}
          disabled={data === undefined}
          onClick={() => setAsTable(!asTable)}
        >
          {asTable ? <ChartColumn size={15} aria-hidden /> : <Table2 size={15} aria-hidden />}
        </IconButton>
      </div>
      {asTable && data !== undefined ? (
        <ActivityTable activity={data} onNarrow={narrow} />
      ) : (
        <ActivityCharts activity={data} pointed={pointed} onPoint={point} onNarrow={narrow} />
      )}
    </section>
  );
}

type Words = ReturnType<typeof useSpeech>["t"]["requestLog"]["activity"];

/** Totals of the range, each with a link to its rows. */
function Sums({ activity, filter }: { readonly activity: RequestActivity } & Pick<ActivityStripProps, "filter">) {
  const { t, language } = useSpeech();
  const words = t.requestLog.activity;
  const { from, to, total, failed, buckets, complete } = activity;
  const nano = buckets.reduce((sum, { cost_nano }) => sum + cost_nano, 0);
  const link = "numeric inline-flex min-h-6 min-w-6 items-center underline-offset-2 hover:underline";
  return (
    <p className="flex min-w-0 shrink-0 flex-wrap items-center gap-x-3 text-meta text-muted max-wide:shrink">
      {/* The list then has no start, but the chart has one. */}
      {filter.since === undefined && (
        <button
          type="button"
          className={link}
          title={words.narrow}
          onClick={() =>
            replaceParams({
              ...noTime,
              ...(filter.until === undefined ? { range: "24h" } : { since: String(from), until: String(to) }),
            })
          }
        >
          {filter.until === undefined
            ? words.chartOfDay
            : words.chartOf(formatMoment(from, language), formatMoment(to, language))}
        </button>
      )}
      <span className="numeric text-text">{words.requests(formatCount(total))}</span>
      <button
        type="button"
        className={`${link} ${failed > 0 ? "text-danger-text" : ""}`}
        onClick={() => replaceParams({ status: "failed" })}
      >
        {words.failed(formatCount(failed))}
      </button>
      <button
        type="button"
        aria-label={words.byCost(formatMoney(nano))}
        className={link}
        onClick={() => replaceParams({ sort: "cost", order: null })}
      >
        <Money nano={nano} />
      </button>
      {!complete && <span className="text-warning-text">{words.incomplete}</span>}
    </p>
  );
}

/** The figures of the buckets from one place to another. */
function readout(activity: RequestActivity, [one, other]: readonly [number, number], t: Words, language: string) {
  const [first, last] = [Math.min(one, other), Math.max(one, other)];
  const chosen = activity.buckets.slice(first, last + 1);
  const { since, until } = getTime(activity, first, last);
  const sum = (figure: "count" | "failed" | "cost_nano"): number =>
    chosen.reduce((total, bucket) => total + bucket[figure], 0);
  const [bucket] = chosen;
  const latency =
    chosen.length === 1 && bucket?.p50_ms != null && bucket.p95_ms !== null
      ? [`p50 ${formatDuration(bucket.p50_ms)}`, `p95 ${formatDuration(bucket.p95_ms)}`]
      : [];
  return [
    `${formatMoment(since, language)} + ${formatDuration(until - since)}`,
    t.requests(formatCount(sum("count"))),
    t.failed(formatCount(sum("failed"))),
    formatMoney(sum("cost_nano")),
    ...latency,
  ].join(" · ");
}

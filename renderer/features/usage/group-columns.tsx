import { useMemo } from "react";
import type { UsageGroup } from "../../../gateway/contract/usage.ts";
import type { Column } from "../../components/table/column.ts";
import { Count, Money, nothing, SandboxMoney } from "../../components/ui/figures.tsx";
import { formatCount, formatDuration, formatMoneyExact, percentOf } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { uncachedInput } from "./usage-models.ts";
import type { GroupColumn, UsageRow } from "./sort-groups.ts";

interface Head {
  readonly id: GroupColumn;
  readonly label: string;
  readonly width: number;
  readonly from?: number;
}

const head = ({ id, label, width, from }: Head) =>
  ({ id, label, track: `${width}px`, end: true, sortable: true, ...(from !== undefined && { from }) }) as const;

/** A column of counts; zero is quiet. */
function countColumn(of: Head, countOf: (row: UsageRow) => number): Column<UsageRow> {
  return {
    ...head(of),
    cell: (row) => (countOf(row) === 0 ? <span className="text-faint">0</span> : <Count value={countOf(row)} />),
    text: (row) => formatCount(countOf(row)),
  };
}

function timeColumn(of: Head, timeOf: (row: UsageRow) => number | null): Column<UsageRow> {
  return {
    ...head(of),
    cell: (row) => {
      const time = timeOf(row);
      return time === null ? nothing : <span className="numeric">{formatDuration(time)}</span>;
    },
    text: (row) => {
      const time = timeOf(row);
      return time === null ? "" : formatDuration(time);
    },
  };
}

export function useGroupColumns(
  by: UsageGroup,
  nameOf: (group: string) => string,
  total: number,
): readonly Column<UsageRow>[] {
  const t = useMessages();
  return useMemo(() => {
    const shareOf = ({ totals }: UsageRow): string =>
      total === 0 ? "" : `${percentOf(totals.nano, total).toFixed(totals.nano * 10 < total ? 1 : 0)} %`;
    return [
      {
        id: "name",
        label: t.usage.groupings[by],
        track: "minmax(140px, 1fr)",
        essential: true,
        sortable: true,
        cell: ({ group }) => (
          <span className={group === "" ? "text-muted italic" : ""} title={nameOf(group)}>
            {nameOf(group)}
          </span>
        ),
        text: ({ group }) => nameOf(group),
      },
      {
        ...head({ id: "spend", label: t.usage.spend, width: 84 }),
        essential: true,
        cell: ({ totals }) => <Money nano={totals.nano} />,
        text: ({ totals }) => formatMoneyExact(totals.nano),
      },
      {
        id: "share",
        label: t.usage.share,
        track: "52px",
        end: true,
        from: 1050,
        cell: (row) => <span className="numeric text-muted">{shareOf(row)}</span>,
        text: shareOf,
      },
      countColumn({ id: "requests", label: t.usage.requests, width: 76 }, ({ totals }) => totals.requests),
      countColumn({ id: "errors", label: t.usage.errorsHead, width: 60, from: 480 }, ({ totals }) => totals.errors),
      countColumn({ id: "input", label: t.usage.tokensNew, width: 104, from: 560 }, ({ totals }) =>
        uncachedInput(totals),
      ),
      countColumn(
        { id: "cached", label: t.usage.tokensCached, width: 92, from: 1000 },
        ({ totals }) => totals.cached_input_tokens,
      ),
      countColumn(
        { id: "output", label: t.usage.tokensOut, width: 84, from: 640 },
        ({ totals }) => totals.output_tokens,
      ),
      timeColumn({ id: "p50", label: t.usage.p50Head, width: 64, from: 920 }, ({ latency }) => latency.p50),
      timeColumn({ id: "p95", label: t.usage.p95Head, width: 64, from: 920 }, ({ latency }) => latency.p95),
      countColumn(
        { id: "unpriced", label: t.usage.unpricedHead, width: 76, from: 1140 },
        ({ totals }) => totals.unpriced_requests,
      ),
      {
        ...head({ id: "sandbox", label: t.usage.sandbox, width: 76, from: 770 }),
        cell: ({ totals }) => (totals.sandbox_requests === 0 ? nothing : <SandboxMoney nano={totals.sandbox_nano} />),
        text: ({ totals }) => (totals.sandbox_requests === 0 ? "" : formatMoneyExact(totals.sandbox_nano)),
      },
    ];
  }, [t, by, nameOf, total]);
}

import { useMemo, type ReactNode } from "react";
import type { UsageGroup, UsageSeries } from "../../../gateway/contract/usage.ts";
import type { Column } from "../../components/table/column.ts";
import { Count, Money, nothing, SandboxMoney } from "../../components/ui/figures.tsx";
import { formatCount, formatDuration, formatMoney, formatMoneyExact, getPercent } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import type { Messages } from "../../locales/messages.ts";
import { routeHash } from "../../lib/router.ts";
import { GroupMenu } from "./group-menu.tsx";
import { Trend } from "./trend.tsx";
import { priceHash, type Requests } from "./usage-address.ts";
import { Change, changeInWords, getChange } from "./change.tsx";
import { uncachedInput, type SpendShown } from "./usage-models.ts";
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

/** Figures of groups in the period before. */
export interface Earlier {
  readonly shown: SpendShown;
  /** Null: not known, or not yet. */
  of(group: string): number | null;
}

function changeColumn({ shown, of }: Earlier, t: Messages): Column<UsageRow> {
  const change = ({ group, totals }: UsageRow) => getChange(totals[shown], of(group));
  const write = shown === "nano" ? formatMoney : formatCount;
  return {
    id: "change",
    label: t.usage.change,
    track: "64px",
    end: true,
    from: 520,
    cell: (row) => <Change change={change(row)} before={write(of(row.group) ?? 0)} />,
    text: (row) => changeInWords(change(row), t.usage.added),
  };
}

/** The line of each group that has one. */
function trendColumn(usage: UsageSeries, shown: SpendShown, t: Messages): Column<UsageRow> {
  const lines = new Map(usage.series.map((one) => [one.group, one[shown]]));
  return {
    id: "trend",
    label: t.usage.trend,
    track: "56px",
    bare: true,
    from: 590,
    cell: ({ group }) => <Trend values={lines.get(group) ?? []} />,
    text: () => "",
  };
}

/** Spend, and whether a part has no price, with a link to set it. */
function SpendCell({ row, by }: { readonly row: UsageRow; readonly by: UsageGroup }): ReactNode {
  const t = useMessages();
  const { nano, unpriced_requests: unpriced } = row.totals;
  if (unpriced === 0) return <Money nano={nano} />;
  const hash = by === "model" && row.group !== "" ? priceHash(row.group) : routeHash("models", { price: "unpriced" });
  const help = `${t.usage.unpriced(formatCount(unpriced))} · ${t.usage.setPrice}`;
  return (
    <>
      {nano > 0 && <Money nano={nano} />}{" "}
      <a href={hash} title={help} aria-label={help} className="text-warning-text italic">
        {nano > 0 ? "+" : t.money.unpriced}
      </a>
    </>
  );
}

/** Figures that logs do not have. */
const OF_RECEIPTS: ReadonlySet<string> = new Set(["errors", "p50", "p95", "sandbox"]);

export interface GroupColumnsProps {
  readonly by: UsageGroup;
  readonly nameOf: (group: string) => string;
  readonly usage: UsageSeries;
  readonly shown: SpendShown;
  readonly requests: Requests | null;
  /** Whether any of it has receipts: logs have no errors and no times. */
  readonly isCounted: boolean;
  /** Stable reference; null if the previous period is not shown. */
  readonly earlier: Earlier | null;
}

export function useGroupColumns(props: GroupColumnsProps): readonly Column<UsageRow>[] {
  const t = useMessages();
  const { by, nameOf, usage, shown, requests, isCounted, earlier } = props;
  return useMemo(() => {
    const figures = figureColumns({ by, nameOf, usage, shown, requests, isCounted, earlier }, t).filter(
      ({ id }) => isCounted || !OF_RECEIPTS.has(id),
    );
    const span = { since: usage.from, until: usage.to };
    const menu: Column<UsageRow> = {
      id: "menu",
      label: t.app.more,
      track: "28px",
      bare: true,
      essential: true,
      cell: (row) => <GroupMenu {...{ row, by, span, requests }} name={nameOf(row.group)} columns={figures} />,
      text: () => "",
    };
    return [...figures, menu];
  }, [t, by, nameOf, usage, shown, requests, isCounted, earlier]);
}

function figureColumns(
  { by, nameOf, usage, shown, earlier }: GroupColumnsProps,
  t: Messages,
): readonly Column<UsageRow>[] {
  const total = usage.total.nano;
  const shareOf = ({ totals }: UsageRow): string =>
    total === 0 ? "" : `${getPercent(totals.nano, total).toFixed(totals.nano * 10 < total ? 1 : 0)}%`;
  return [
    {
      id: "name",
      label: t.usage.groupings[by],
      track: "minmax(120px, 1fr)",
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
      cell: (row) => <SpendCell row={row} by={by} />,
      text: ({ totals }) => formatMoneyExact(totals.nano),
    },
    {
      id: "share",
      label: t.usage.share,
      track: "52px",
      end: true,
      from: 1256,
      cell: (row) => <span className="numeric text-muted">{shareOf(row)}</span>,
      text: shareOf,
    },
    trendColumn(usage, shown, t),
    ...(earlier === null ? [] : [changeColumn(earlier, t)]),
    countColumn({ id: "requests", label: t.usage.requests, width: 76, from: 380 }, ({ totals }) => totals.requests),
    countColumn({ id: "errors", label: t.usage.errorsHead, width: 60, from: 480 }, ({ totals }) => totals.errors),
    countColumn({ id: "input", label: t.usage.tokensNew, width: 100, from: 780 }, ({ totals }) =>
      uncachedInput(totals),
    ),
    countColumn(
      { id: "cached", label: t.usage.tokensCached, width: 92, from: 1104 },
      ({ totals }) => totals.cached_input_tokens,
    ),
    countColumn({ id: "output", label: t.usage.tokensOut, width: 76, from: 676 }, ({ totals }) => totals.output_tokens),
    timeColumn({ id: "p50", label: t.usage.p50Head, width: 56, from: 914 }, ({ latency }) => latency.p50),
    timeColumn({ id: "p95", label: t.usage.p95Head, width: 56, from: 914 }, ({ latency }) => latency.p95),
    countColumn(
      { id: "unpriced", label: t.usage.unpricedHead, width: 76, from: 1192 },
      ({ totals }) => totals.unpriced_requests,
    ),
    {
      ...head({ id: "sandbox", label: t.usage.sandbox, width: 80, from: 1000 }),
      cell: ({ totals }) => (totals.sandbox_requests === 0 ? nothing : <SandboxMoney nano={totals.sandbox_nano} />),
      text: ({ totals }) => (totals.sandbox_requests === 0 ? "" : formatMoneyExact(totals.sandbox_nano)),
    },
  ];
}

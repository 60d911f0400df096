import { useMemo, type ReactNode } from "react";
import type { HistoryGroup, HistoryRow, HistoryUsage } from "../../../gateway/contract/history.ts";
import { momentColumn, quietColumn } from "../../components/table/column-kinds.tsx";
import type { Column } from "../../components/table/column.ts";
import { DataTable } from "../../components/table/data-table.tsx";
import { TableMenu } from "../../components/table/table-menu.tsx";
import { Count, Money } from "../../components/ui/figures.tsx";
import { formatCount, formatMoneyExact } from "../../lib/format.ts";
import { useSpeech } from "../../lib/i18n.tsx";
import { replaceParams } from "../../lib/router.ts";
import type { Messages } from "../../locales/messages.ts";
import { freshInput } from "./history-strip.tsx";

const rowKey = ({ group }: HistoryRow): string => group;

/** A group as people call it. */
function getName(by: HistoryGroup, { group, agent }: HistoryRow, t: Messages): string {
  if (group === "") return t.history.unknown;
  return by === "agent" && agent !== null ? t.history.agents[agent] : group;
}

function countColumn(
  head: { readonly id: string; readonly label: string; readonly width: number; readonly from?: number },
  countOf: (row: HistoryRow) => number,
): Column<HistoryRow> {
  const { id, label, width, from } = head;
  return {
    id,
    label,
    track: `${width}px`,
    end: true,
    ...(from !== undefined && { from }),
    cell: (row) => (countOf(row) === 0 ? <span className="text-faint">0</span> : <Count value={countOf(row)} />),
    text: (row) => formatCount(countOf(row)),
  };
}

function costColumn(t: Messages): Column<HistoryRow> {
  return {
    id: "cost",
    label: t.history.columns.cost,
    track: "92px",
    end: true,
    essential: true,
    cell: ({ totals }) =>
      totals.unpriced_requests === totals.requests ? (
        <span className="text-warning-text italic" title={t.money.unpricedHelp}>
          {t.money.unpriced}
        </span>
      ) : (
        <>
          <Money nano={totals.nano} />
          {totals.unpriced_requests > 0 && (
            <span className="text-warning-text" title={t.history.unpriced(formatCount(totals.unpriced_requests))}>
              {" +"}
            </span>
          )}
        </>
      ),
    text: ({ totals }) => formatMoneyExact(totals.nano),
  };
}

function useColumns(by: HistoryGroup): readonly Column<HistoryRow>[] {
  const { t, language } = useSpeech();
  return useMemo(() => {
    const words = t.history.columns;
    const name: Column<HistoryRow> = {
      id: "name",
      label: t.history.groupings[by],
      track: "minmax(120px, 1fr)",
      essential: true,
      cell: (row) => <span title={getName(by, row, t)}>{getName(by, row, t)}</span>,
      text: (row) => getName(by, row, t),
    };
    const project = quietColumn<HistoryRow>(
      { id: "project", label: words.project, track: "minmax(100px, 1fr)", from: 700 },
      (row) => row.project ?? "",
    );
    return [
      name,
      ...(by === "session" ? [project] : []),
      costColumn(t),
      countColumn({ id: "requests", label: words.requests, width: 80, from: 380 }, ({ totals }) => totals.requests),
      countColumn({ id: "fresh", label: words.fresh, width: 84, from: 640 }, ({ totals }) => freshInput(totals)),
      countColumn(
        { id: "written", label: words.written, width: 96, from: 820 },
        (row) => row.totals.cache_write_tokens,
      ),
      countColumn({ id: "cached", label: words.cached, width: 76, from: 560 }, (row) => row.totals.cached_input_tokens),
      countColumn({ id: "output", label: words.output, width: 76, from: 480 }, ({ totals }) => totals.output_tokens),
      ...(by === "day"
        ? []
        : [
            momentColumn<HistoryRow>(
              { id: "last", label: words.last, track: "104px", from: 760 },
              language,
              ({ to }) => to,
            ),
          ]),
    ];
  }, [t, language, by]);
}

/** Opens the parts of a row's day or agent. */
function open(by: HistoryGroup, { group, agent }: HistoryRow): void {
  if (by === "day") replaceParams({ range: null, from: group, to: group, by: null });
  else if (by === "agent") replaceParams({ agent, by: null });
}

/** The sums of each group. */
export function HistoryTable({ usage, by }: { readonly usage: HistoryUsage; readonly by: HistoryGroup }): ReactNode {
  const { t } = useSpeech();
  const columns = useColumns(by);
  const { data, more_groups: more } = usage;
  const rows = by === "day" ? data.toReversed() : data;
  const label = t.history.groupings[by];
  return (
    <section className="panel mb-3">
      <div className="flex min-h-10 items-center gap-2 border-b border-line py-1 pr-1.5 pl-3.5">
        <h2 className="font-semibold">{label}</h2>
        <span className="numeric grow text-meta text-faint">
          {formatCount(rows.length)}
          {more > 0 && ` ${t.history.moreGroups(formatCount(more))}`}
        </span>
        <TableMenu table={`history-${by}`} label={label} columns={columns} rows={rows} />
      </div>
      <DataTable
        id={`history-${by}`}
        label={label}
        columns={columns}
        rows={rows}
        rowKey={rowKey}
        onOpen={(row) => open(by, row)}
      />
    </section>
  );
}

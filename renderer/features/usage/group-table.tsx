import { useMemo, type ReactNode } from "react";
import type { UsageGroup, UsageSeries } from "../../../gateway/contract/usage.ts";
import { DataTable } from "../../components/table/data-table.tsx";
import { TableMenu } from "../../components/table/table-menu.tsx";
import { Empty } from "../../components/ui/states.tsx";
import { formatCount } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { navigate, replaceParams } from "../../lib/router.ts";
import { sortGroups, type UsageRow } from "./sort-groups.ts";
import { nextSorting, getSorting, type Requests } from "./usage-address.ts";
import { useGroupColumns, type Earlier } from "./group-columns.tsx";
import { getHere, type Before, type SpendShown } from "./usage-models.ts";

export interface GroupTableProps {
  readonly usage: UsageSeries;
  readonly by: UsageGroup;
  readonly nameOf: (group: string) => string;
  readonly params: URLSearchParams;
  readonly requests: Requests | null;
  /** Whether any of it has receipts. */
  readonly isCounted: boolean;
  readonly before: Before;
  /** Figure whose changes are shown. */
  readonly shown: SpendShown;
}

/** Returns the earlier figure of each group, by its name; null if comparison is not shown. */
function useEarlier(before: Before, shown: SpendShown): Earlier | null {
  return useMemo(() => {
    if (before === null) return null;
    const here = getHere(before);
    const figures = new Map(here?.groups.map(({ group, totals }) => [group, totals[shown]]));
    // If there were more groups than are listed, the figure of an unlisted one is unknown.
    const other = here?.more_groups === 0 ? 0 : null;
    return { shown, of: (group) => figures.get(group) ?? other };
  }, [before, shown]);
}

const groupId = ({ group }: UsageRow): string => group;

/** The sums of each group; a row opens its requests, or narrows the page to its group. */
export function GroupTable({
  usage,
  by,
  nameOf,
  params,
  requests,
  isCounted,
  before,
  shown,
}: GroupTableProps): ReactNode {
  const t = useMessages();
  const { by: column, order } = getSorting(params);
  const columns = useGroupColumns({
    by,
    nameOf,
    usage,
    shown,
    requests,
    isCounted,
    earlier: useEarlier(before, shown),
  });
  const rows = useMemo(() => sortGroups(usage.groups, column, order, nameOf), [usage.groups, column, order, nameOf]);
  const open = ({ group }: UsageRow): void =>
    requests === null
      ? replaceParams({ [by]: group })
      : navigate("requests", requests(group, { since: usage.from, until: usage.to }));
  return (
    <section className="panel">
      <div className="flex min-h-10 items-center gap-2 border-b border-line py-1 pr-1.5 pl-3.5">
        <h2 className="font-semibold">{t.usage.group[by]}</h2>
        <span className="numeric grow text-meta text-faint">
          {t.usage.count[by](formatCount(rows.length))}
          {usage.more_groups > 0 && ` ${t.usage.moreGroups(formatCount(usage.more_groups))}`}
        </span>
        <TableMenu table="usage" label={t.usage.group[by]} columns={columns} rows={rows} />
      </div>
      {rows.length === 0 ? (
        <Empty title={t.usage.empty} help={t.usage.emptyHelp} />
      ) : (
        <DataTable
          id="usage"
          label={t.usage.group[by]}
          columns={columns}
          rows={rows}
          rowKey={groupId}
          onOpen={open}
          sorting={{ by: column, order, onSort: (next) => replaceParams(nextSorting(params, next)) }}
        />
      )}
    </section>
  );
}

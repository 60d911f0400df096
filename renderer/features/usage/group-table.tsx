import { useMemo, type ReactNode } from "react";
import type { UsageGroup, UsageSeries } from "../../../gateway/contract/usage.ts";
import { DataTable } from "../../components/table/data-table.tsx";
import { TableMenu } from "../../components/table/table-menu.tsx";
import { Empty } from "../../components/ui/states.tsx";
import { formatCount } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { navigate, replaceParams } from "../../lib/router.ts";
import { sortGroups, type UsageRow } from "./sort-groups.ts";
import { nextSorting, periodOf, requestsPeriod, sortingOf } from "./usage-address.ts";
import { useGroupColumns } from "./group-columns.tsx";

export interface GroupTableProps {
  readonly usage: UsageSeries;
  readonly by: UsageGroup;
  readonly nameOf: (group: string) => string;
  readonly params: URLSearchParams;
}

const groupId = ({ group }: UsageRow): string => group;

/** The sums of each group; a row opens its requests. */
export function GroupTable({ usage, by, nameOf, params }: GroupTableProps): ReactNode {
  const t = useMessages();
  const { by: column, order } = sortingOf(params);
  const columns = useGroupColumns(by, nameOf, usage.total.nano);
  const rows = useMemo(() => sortGroups(usage.groups, column, order, nameOf), [usage.groups, column, order, nameOf]);
  const open = ({ group }: UsageRow): void =>
    navigate("requests", { [by]: group, ...requestsPeriod(periodOf(params), usage) });
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

import { Clapperboard } from "lucide-react";
import type { ReactNode } from "react";
import type { TaskRow } from "../../../gateway/contract/tasks.ts";
import { useGateway } from "../../api/gateway.tsx";
import { useKeyNames } from "../../api/key-names.ts";
import type { TaskFilter } from "../../api/query-names.ts";
import { TASK_ROWS } from "../../api/task-queries.ts";
import { RowMenu, useWithMenu } from "../../components/request/row-menu.tsx";
import type { CopyForm } from "../../components/request/use-copy-request.ts";
import { DataTable } from "../../components/table/data-table.tsx";
import { useCopyKey } from "../../components/table/use-copy-key.ts";
import { TableMenu } from "../../components/table/table-menu.tsx";
import { Button } from "../../components/ui/button.tsx";
import { SearchBox } from "../../components/ui/search-box.tsx";
import { Empty, Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { formatCount } from "../../lib/format.ts";
import { useFixedFilter } from "../../lib/fixed-filter.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { navigate, replaceParams } from "../../lib/router.ts";
import { acrossTasks, useTaskColumns } from "./task-columns.tsx";
import { getFilter, filters, listPart, nextSorting, sortColumns, getSorting } from "./task-filter.ts";
import { TaskFilters } from "./task-filters.tsx";
import { useCopyTask } from "./use-copy-task.ts";
import { useTasks } from "./use-tasks.ts";

const taskId = ({ id }: TaskRow): string => id;
const openTask = ({ id }: TaskRow): void =>
  navigate("tasks", { ...Object.fromEntries(new URLSearchParams(location.hash.split("?")[1] ?? "")), task: id });

const taskMenu = (row: TaskRow, onCopy: (row: TaskRow, form: CopyForm) => void): ReactNode => (
  <RowMenu model={row.model} onCopy={(form) => onCopy(row, form)} />
);

/** Rows that are fetched for copying: beyond that a spreadsheet is better served by an export of the data. */
const COPIED_PAGES = 20;

/** All tasks: found, filtered and sorted by the gateway, fetched as one scrolls. */
export function TaskTable({ params }: { readonly params: URLSearchParams }): ReactNode {
  const t = useMessages();
  const filter = useFixedFilter(listPart(params), (now) => getFilter(params, now));
  const { list, shown, error, retry } = useTasks(filter);
  const { rows, head: page } = list;
  const keyName = useKeyNames();
  const columns = useTaskColumns(keyName);
  const copied = useCopiedRows(shown);
  const copy = useCopyTask(columns);
  const withMenu = useWithMenu(columns, copy, taskMenu);
  useCopyKey(rows, null, (row) => copy(row, "curl"));
  const sorting = getSorting(params);
  return (
    <section className="panel" aria-busy={shown !== filter || undefined}>
      <div className="border-b border-line">
        <div className="flex min-h-10 items-center gap-2 px-1.5 py-1">
          <SearchBox q={params.get("q") ?? ""} label={t.tasks.search} />
          {page !== undefined && (
            <output className="numeric shrink-0 text-meta text-faint">
              {page.active > 0 && !filters.hasAny(params) && (
                <span className="max-wide:hidden">{t.tasks.active(page.active)} · </span>
              )}
              {t.tasks.total(formatCount(rows.length))}
              {!page.complete && <span className="max-wide:hidden"> · {t.tasks.reading}</span>}
            </output>
          )}
          <TableMenu table="tasks" label={t.pages.tasks} columns={columns} {...copied} total={rows.length} />
        </div>
        <TaskFilters params={params} keyName={keyName} />
      </div>
      {error !== null && <Failure error={error} onRetry={retry} />}
      {!list.ready ? (
        error === null && <SkeletonRows rows={8} />
      ) : rows.length > 0 ? (
        <DataTable
          key={JSON.stringify(shown)}
          id="tasks"
          label={t.pages.tasks}
          columns={withMenu}
          rows={rows}
          rowKey={taskId}
          onOpen={openTask}
          across={acrossTasks}
          sorting={{
            ...sorting,
            onSort: (column) => {
              const found = sortColumns.find((each) => each === column);
              if (found !== undefined) replaceParams(nextSorting(params, found));
            },
          }}
        />
      ) : filters.hasAny(params) ? (
        <Empty
          title={t.table.noMatch}
          help={page?.complete === false ? t.tasks.reading : ""}
          action={<Button onClick={() => replaceParams(filters.none)}>{t.table.clearFilter}</Button>}
        />
      ) : (
        <Empty icon={<Clapperboard size={24} aria-hidden />} title={t.tasks.empty} help={t.tasks.emptyHelp} />
      )}
    </section>
  );
}

/** The rows that are copied: those of the whole list from its top, not only those that are in sight. */
function useCopiedRows(filter: TaskFilter): { readonly rows: () => Promise<readonly TaskRow[]> } {
  const { client } = useGateway();
  return {
    async rows() {
      const limit = TASK_ROWS * 5;
      const found: TaskRow[] = [];
      for (let total = 1; found.length < Math.min(total, TASK_ROWS * COPIED_PAGES);) {
        const page = await client.call("listTasks", { ...filter, limit, offset: found.length });
        if (page.data.length === 0) break;
        found.push(...page.data);
        total = page.total;
      }
      return found;
    },
  };
}

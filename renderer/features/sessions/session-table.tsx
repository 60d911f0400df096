import { MessagesSquare } from "lucide-react";
import type { ReactNode } from "react";
import type { SessionView } from "../../../gateway/contract/sessions.ts";
import { DataTable } from "../../components/table/data-table.tsx";
import { TableMenu } from "../../components/table/table-menu.tsx";
import { Button } from "../../components/ui/button.tsx";
import { ActiveFilter } from "../../components/ui/chip.tsx";
import { SearchBox } from "../../components/ui/search-box.tsx";
import { Empty, Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useFixedFilter } from "../../lib/fixed-filter.ts";
import { formatCount } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { navigate, replaceParams } from "../../lib/router.ts";
import type { RowList } from "../../lib/row-list.ts";
import { useSessionColumns } from "./session-columns.tsx";
import { getFilter, filters } from "./session-filter.ts";
import { useSessions } from "./use-sessions.ts";

const getId = ({ id }: SessionView): string => id;
const openSession = ({ id }: SessionView): void => navigate("sessions", { id });

/** The known sessions, newest first; older ones load while scrolling. */
export function SessionTable({ params }: { readonly params: URLSearchParams }): ReactNode {
  const t = useMessages();
  const words = t.sessions;
  const filter = useFixedFilter(filters.getPart(params), () => getFilter(params));
  const { list, shown, error, retry } = useSessions(filter);
  const columns = useSessionColumns();
  const { rows, head: first } = list;
  const { project, client } = filters.getValues(params);
  return (
    <section className="panel">
      <div className="border-b border-line">
        <div className="flex min-h-10 items-center gap-2 px-1.5 py-1">
          <SearchBox q={params.get("q") ?? ""} label={words.search} />
          {first !== undefined && (
            <output className="numeric shrink-0 text-meta text-faint">
              {words.total(formatCount(first.count))}
              {first.rebuilding !== null && <span> · {t.table.rebuilding(first.rebuilding)}</span>}
            </output>
          )}
          <TableMenu
            table="sessions"
            label={t.pages.sessions}
            columns={columns}
            rows={listLoaded(rows)}
            total={first?.count ?? 0}
          />
        </div>
        {(project !== undefined || client !== undefined) && (
          <div className="flex flex-wrap gap-1 px-1.5 pb-1.5">
            {project !== undefined && (
              <ActiveFilter label={`${words.project}: ${project}`} onRemove={() => replaceParams({ project: null })} />
            )}
            {client !== undefined && (
              <ActiveFilter
                label={`${t.requests.client}: ${client}`}
                onRemove={() => replaceParams({ client: null })}
              />
            )}
          </div>
        )}
      </div>
      {error !== null && <Failure error={error} onRetry={retry} />}
      {!list.ready ? (
        error === null && <SkeletonRows rows={8} />
      ) : rows.length > 0 ? (
        <DataTable
          key={JSON.stringify(shown)}
          id="sessions"
          label={t.pages.sessions}
          columns={columns}
          rows={rows}
          rowKey={getId}
          onOpen={openSession}
          live
          dense
        />
      ) : filters.hasAny(params) ? (
        <Empty
          title={t.table.noMatch}
          help=""
          action={<Button onClick={() => replaceParams(filters.none)}>{t.table.clearFilter}</Button>}
        />
      ) : (
        <Empty icon={<MessagesSquare size={24} aria-hidden />} title={words.empty} help={words.emptyHelp} />
      )}
    </section>
  );
}

const listLoaded = (rows: RowList<SessionView>): readonly SessionView[] =>
  Array.from({ length: rows.length }, (_, index) => rows.at(index)).filter((row) => row !== undefined);

import { MessagesSquare } from "lucide-react";
import { useMemo, type ReactNode } from "react";
import type { SessionView } from "../../../gateway/contract/sessions.ts";
import { useSessions } from "../../api/session-queries.ts";
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
import { useSessionColumns } from "./session-columns.tsx";
import { getFilter, filters } from "./session-filter.ts";

const getId = ({ id }: SessionView): string => id;
const openSession = ({ id }: SessionView): void => navigate("sessions", { id });

/** The sessions that the gateway knows of, the newest first; older ones when they are asked for. */
export function SessionTable({ params }: { readonly params: URLSearchParams }): ReactNode {
  const t = useMessages();
  const words = t.sessions;
  const filter = useFixedFilter(filters.getPart(params), () => getFilter(params));
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useSessions(filter);
  const columns = useSessionColumns();
  const rows = useMemo(() => onceEach(data?.pages.flatMap((page) => page.data) ?? []), [data]);
  const [first] = data?.pages ?? [];
  const { project, client } = filters.getValues(params);
  return (
    <section className="panel">
      <div className="border-b border-line">
        <div className="flex min-h-10 items-center gap-2 px-1.5 py-1">
          <SearchBox q={params.get("q") ?? ""} label={words.search} />
          {first !== undefined && (
            <output className="numeric shrink-0 text-meta text-faint">
              {words.total(formatCount(first.total))}
              {first.rebuilding !== null && <span> · {t.table.rebuilding(first.rebuilding)}</span>}
            </output>
          )}
          <TableMenu
            table="sessions"
            label={t.pages.sessions}
            columns={columns}
            rows={rows}
            total={first?.total ?? 0}
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
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null && <SkeletonRows rows={8} />
      ) : rows.length > 0 ? (
        <>
          <DataTable
            key={JSON.stringify(filter)}
            id="sessions"
            label={t.pages.sessions}
            columns={columns}
            rows={rows}
            rowKey={getId}
            onOpen={openSession}
            live
            dense
          />
          {hasNextPage && (
            <div className="border-t border-line p-2">
              <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                {words.older}
              </Button>
            </div>
          )}
        </>
      ) : filters.isAnyIn(params) ? (
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

/** A session that has moved to another page between two responses stands where it came first. */
const onceEach = (sessions: readonly SessionView[]): SessionView[] => [
  ...new Map(sessions.map((session) => [session.id, session] as const)).values(),
];

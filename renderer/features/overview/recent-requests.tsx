import { Activity } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { RECENT_ROWS } from "../../api/live.ts";
import { useRecentRequests } from "../../api/queries.ts";
import type { RequestFilter } from "../../api/query-names.ts";
import { DataTable } from "../../components/table/data-table.tsx";
import { TableMenu } from "../../components/table/table-menu.tsx";
import { LazyPart } from "../../components/ui/lazy-part.tsx";
import { Empty, Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { createPart } from "../../lib/part.ts";
import { routeHash } from "../../lib/router.ts";
import { useRequestColumns, useRowNames } from "../../components/request/request-columns.tsx";

const dialog = createPart(async () => (await import("../../components/request/request-dialog.tsx")).RequestDialog);
/** The dialog is fetched after all that the overview shows. */
const PREFETCH_AFTER_MS = 1_500;
const ALL: RequestFilter = {};
const receiptId = ({ id }: Receipt): string => id;

/** Newest requests, each added as it settles; searching is on the Requests page. @param props.quiet hides an empty list */
export function RecentRequests({ quiet }: { readonly quiet: boolean }): ReactNode {
  const t = useMessages();
  const { data, error, refetch } = useRecentRequests(ALL);
  const columns = useRequestColumns(useRowNames());
  const [opened, setOpened] = useState<Receipt | null>(null);
  // The dialog stays when it closes, so that it can be seen to go.
  const [used, setUsed] = useState(false);
  if (opened !== null && !used) setUsed(true);
  useEffect(() => {
    const timer = setTimeout(() => void dialog.load(), PREFETCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const rows = data?.data.slice(0, RECENT_ROWS) ?? [];
  if (quiet && rows.length === 0) return null;

  return (
    <section className="panel">
      <div className="flex min-h-10 items-center gap-2 border-b border-line py-1 pr-1.5 pl-3.5">
        <h2 className="min-w-0 grow truncate font-semibold">{t.overview.recent}</h2>
        <a href={routeHash("requests")}>{t.overview.allRequests}</a>
        <TableMenu table="requests" label={t.overview.recent} columns={columns} rows={rows} />
      </div>
      {data === undefined ? (
        error === null ? (
          <SkeletonRows rows={6} />
        ) : (
          <Failure error={error} onRetry={() => void refetch()} />
        )
      ) : rows.length > 0 ? (
        <DataTable
          id="requests"
          label={t.overview.recent}
          columns={columns}
          rows={rows}
          rowKey={receiptId}
          onOpen={setOpened}
          live
        />
      ) : (
        <Empty
          icon={<Activity size={24} aria-hidden />}
          title={t.overview.recentEmpty}
          help={t.overview.recentEmptyHelp}
        />
      )}
      {used && (
        <LazyPart part={dialog} props={{ id: opened?.id ?? null, known: opened, onClose: () => setOpened(null) }} />
      )}
    </section>
  );
}

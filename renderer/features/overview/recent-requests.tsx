import { Activity } from "lucide-react";
import { useMemo, useState, type ReactNode } from "react";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { useKeyNames } from "../../api/key-names.ts";
import { useRecentRequests } from "../../api/queries.ts";
import type { RequestFilter } from "../../api/query-names.ts";
import { DataTable } from "../../components/table/data-table.tsx";
import { TableMenu } from "../../components/table/table-menu.tsx";
import { Button } from "../../components/ui/button.tsx";
import { ActiveFilter } from "../../components/ui/chip.tsx";
import { Empty, Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { replaceParams, useRoute } from "../../lib/router.ts";
import { useRequestColumns } from "../requests/request-columns.tsx";
import { RequestDialog } from "../requests/request-dialog.tsx";

const receiptId = ({ id }: Receipt): string => id;

/** The newest requests, each row put in as it settles. */
export function RecentRequests(): ReactNode {
  const t = useMessages();
  const { params } = useRoute();
  const filter = useMemo(() => filterOf(params), [params]);
  const { data, error, refetch } = useRecentRequests(filter);
  const nameOf = useKeyNames();
  const columns = useRequestColumns(nameOf);
  const [opened, setOpened] = useState<Receipt | null>(null);
  const rows = data?.data ?? [];
  const filtered = filter.key !== undefined || filter.model !== undefined;

  return (
    <section className="panel">
      <div className="flex min-h-10 flex-wrap items-center gap-2 border-b border-line py-1 pr-1.5 pl-3.5">
        <h2 className="font-semibold">{t.overview.recent}</h2>
        <div className="flex min-w-0 grow flex-wrap gap-1.5">
          {filter.key !== undefined && (
            <ActiveFilter
              label={t.overview.filterKey(nameOf(filter.key))}
              onRemove={() => replaceParams({ key: null })}
            />
          )}
          {filter.model !== undefined && (
            <ActiveFilter
              label={t.overview.filterModel(filter.model)}
              onRemove={() => replaceParams({ model: null })}
            />
          )}
        </div>
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
          key={`${filter.key ?? ""} ${filter.model ?? ""}`}
          id="requests"
          label={t.overview.recent}
          columns={columns}
          rows={rows}
          rowKey={receiptId}
          onOpen={setOpened}
          live
        />
      ) : filtered ? (
        <Empty
          title={t.table.noMatch}
          help=""
          action={<Button onClick={() => replaceParams({ key: null, model: null })}>{t.table.clearFilter}</Button>}
        />
      ) : (
        <Empty
          icon={<Activity size={24} aria-hidden />}
          title={t.overview.recentEmpty}
          help={t.overview.recentEmptyHelp}
        />
      )}
      <RequestDialog id={opened?.id ?? null} known={opened} onClose={() => setOpened(null)} onFilter={replaceParams} />
    </section>
  );
}

function filterOf(params: URLSearchParams): RequestFilter {
  const key = params.get("key");
  const model = params.get("model");
  return { ...(key !== null && { key }), ...(model !== null && { model }) };
}

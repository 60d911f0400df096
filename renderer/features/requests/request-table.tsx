import { Activity, ArrowUp } from "lucide-react";
import { useEffect, useMemo, useRef, type ReactNode } from "react";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { useGateway } from "../../api/gateway.tsx";
import { useGatewayState } from "../../api/queries.ts";
import { useRunning } from "../../api/running.ts";
import { DataTable } from "../../components/table/data-table.tsx";
import { useRowNames } from "../../components/request/request-columns.tsx";
import { TableMenu } from "../../components/table/table-menu.tsx";
import { Button } from "../../components/ui/button.tsx";
import { SearchBox } from "../../components/ui/search-box.tsx";
import { Empty, Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { navigate, replaceParams } from "../../lib/router.ts";
import { useLiveColumns } from "./log-columns.tsx";
import { withRunning, type LogRow } from "./log-rows.ts";
import { filters } from "./request-filter.ts";
import { RequestFilters } from "./request-filters.tsx";
import { useRequestFilter, useRequestList } from "./use-requests.ts";

const rowId = ({ id }: LogRow): string => id;
const openRequest = ({ id }: LogRow): void =>
  navigate("requests", { ...Object.fromEntries(new URLSearchParams(location.hash.split("?")[1] ?? "")), id });

/** Rows that are fetched for copying. */
const COPIED_ROWS = 500;

/** The log of requests: live on top, older ones fetched as one scrolls. */
export function RequestTable({ params }: { readonly params: URLSearchParams }): ReactNode {
  const t = useMessages();
  const { client } = useGateway();
  const filter = useRequestFilter(params);
  const list = useRequestList(filter);
  const names = useRowNames();
  const columns = useLiveColumns(names);
  const running = useRunning(filter);
  const { data: state } = useGatewayState();
  const panel = useRef<HTMLElement>(null);
  const copied = async (): Promise<readonly Receipt[]> =>
    (await client.call("listRequests", { ...filter, limit: COPIED_ROWS })).data;
  const toTop = (): void => panel.current?.closest("main")?.scrollTo({ top: 0, behavior: "instant" });

  // Another list begins at its top.
  const before = useRef(list);
  useEffect(() => {
    if (before.current === list) return;
    before.current = list;
    const main = panel.current?.closest("main");
    if (main !== null && main !== undefined && main.scrollTop > 0) main.scrollTo({ top: 0 });
  }, [list]);

  const { rows: settled } = list;
  const rows = useMemo(() => withRunning(running, settled), [running, settled]);
  const empty = rows.length === 0 || (rows.length === 1 && list.more);
  return (
    <section ref={panel} className="panel" aria-busy={!list.ready || undefined}>
      <div className="border-b border-line">
        <div className="flex min-h-10 items-center gap-2 px-1.5 py-1">
          <SearchBox q={params.get("q") ?? ""} label={t.requestLog.search} />
          <output className="numeric shrink-0 text-meta text-faint">
            {list.looking && list.ready && list.more && filters.isAnyIn(params)
              ? t.requestLog.looking
              : state !== undefined && state.in_flight > 0
                ? t.requestLog.running(state.in_flight)
                : ""}
          </output>
          <TableMenu table="request-log" label={t.pages.requests} columns={columns.settled} rows={copied} />
        </div>
        <RequestFilters params={params} keyName={names.key} />
      </div>
      {list.held > 0 && (
        <div className="sticky top-12 z-10 flex h-0 justify-center">
          <Button look="primary" icon={<ArrowUp size={14} aria-hidden />} onClick={toTop}>
            {t.requestLog.newer}
          </Button>
        </div>
      )}
      {list.error !== null && <Failure error={list.error} onRetry={() => list.retry()} />}
      {!list.ready || (empty && list.more) ? (
        list.error === null && <SkeletonRows rows={8} />
      ) : !empty ? (
        <DataTable
          key={JSON.stringify(filter)}
          id="request-log"
          label={t.pages.requests}
          columns={columns.live}
          rows={rows}
          rowKey={rowId}
          onOpen={openRequest}
          live
        />
      ) : filters.isAnyIn(params) ? (
        <Empty
          title={t.table.noMatch}
          help=""
          action={<Button onClick={() => replaceParams(filters.none)}>{t.table.clearFilter}</Button>}
        />
      ) : (
        <Empty icon={<Activity size={24} aria-hidden />} title={t.overview.recentEmpty} help={t.requestLog.emptyHelp} />
      )}
    </section>
  );
}

import { Activity, ArrowUp } from "lucide-react";
import { useMemo, useRef, useState, type ReactNode } from "react";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import type { RunningRequest } from "../../../gateway/contract/requests.ts";
import { useGateway } from "../../api/gateway.tsx";
import { useGatewayState, useRecentRequests } from "../../api/queries.ts";
import { useRunning } from "../../api/running.ts";
import { useTopOnChange } from "../../api/use-list.ts";
import { useRowNames } from "../../components/request/request-columns.tsx";
import { getRequestTab } from "../../components/request/request-tabs.tsx";
import { useWithMenu } from "../../components/request/row-menu.tsx";
import { useCopyRequest } from "../../components/request/use-copy-request.ts";
import { DataTable } from "../../components/table/data-table.tsx";
import { useCopyKey } from "../../components/table/use-copy-key.ts";
import { Button } from "../../components/ui/button.tsx";
import { Empty, Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { navigate, parseRoute, replaceParams } from "../../lib/router.ts";
import type { RowList } from "../../lib/row-list.ts";
import { ActivityStrip } from "./activity-strip.tsx";
import { useLiveColumns } from "./log-columns.tsx";
import { LogHead } from "./log-head.tsx";
import { logMenu } from "./log-menu.tsx";
import { isRunning, withRunning, type LogRow } from "./log-rows.ts";
import { filters } from "./request-filter.ts";
import { RequestPanel } from "./request-panel.tsx";
import { afterPress, getColumn, getSort } from "./request-sort.ts";
import { usePaused } from "./use-paused.ts";
import { useRequestFilter, useRequestList } from "./use-requests.ts";
import { TOP_ROWS, useSortedLog } from "./use-sorted-log.ts";

const rowId = ({ id }: LogRow): string => id;

/** Opens a request, replacing an open one. A second click on the same row moves the focus to the panel. */
function openRequest({ id }: LogRow): void {
  const { params } = parseRoute(location.hash);
  if (params.get("id") === id) document.querySelector<HTMLElement>("[data-panel]")?.focus();
  else if (params.has("id")) replaceParams({ id });
  else navigate("requests", { ...Object.fromEntries(params), id });
}

const closeRequest = (): void => replaceParams({ id: null, tab: null });

/** Rows that are fetched for copying. */
const COPIED_ROWS = 500;

const NOTE = "border-b border-line px-3 py-1.5 text-meta text-warning-text";

/** The log of requests, live on top and older ones as one scrolls, or sorted by a figure; one of them next to it. */
export function RequestTable({ params }: { readonly params: URLSearchParams }): ReactNode {
  const t = useMessages();
  const { client } = useGateway();
  const filter = useRequestFilter(params);
  const chosenSort = getSort(params);
  const sort = useSame(chosenSort);
  const { data: recent } = useRecentRequests(filter);
  const pause = usePaused(recent?.data, filter);
  const paused = pause.since !== null;
  const live = useRequestList(filter, { isEnabled: sort === null, isPaused: paused });
  const { list } = live;
  const sorted = useSortedLog(filter, sort, paused);
  const names = useRowNames();
  const column = sort === null ? "time" : getColumn(sort.by);
  const q = params.get("q") ?? "";
  const columns = useLiveColumns({ names, q, sorted: column, pausedAt: pause.since });
  const copy = useCopyRequest(columns.settled);
  const running = useStableRunning(useRunning(filter), paused);
  const { data: state } = useGatewayState();
  const panel = useRef<HTMLElement>(null);
  const toTop = (): void => panel.current?.closest("main")?.scrollTo({ top: 0, behavior: "instant" });

  useTopOnChange(sort);

  const { rows: settled } = list;
  const rows = useMemo(
    (): RowList<LogRow> => (sort === null ? withRunning(running, settled) : (sorted.rows ?? [])),
    [sort, running, settled, sorted.rows],
  );
  const more = sort === null && list.more;
  const ready = sort === null ? list.ready : sorted.rows !== undefined;
  const error = sort === null ? live.error : sorted.error;
  const empty = rows.length === 0 || (rows.length === 1 && more);

  const id = params.get("id");
  const place = id === null ? -1 : rows.findIndex((row) => row.id === id);
  const opened = place === -1 ? undefined : rows.at(place);
  const onMove = (step: 1 | -1): void => {
    const next = rows.at(place + step);
    if (place !== -1 && next !== undefined) replaceParams({ id: next.id });
  };
  useCopyKey(rows, id, (row) => !isRunning(row) && copy(row, "curl"));

  const copied = async (): Promise<readonly Receipt[]> =>
    (await client.call("listRequests", { ...filter, ...sort, limit: sort === null ? COPIED_ROWS : TOP_ROWS })).data;
  const sorting = useMemo(
    () => ({
      by: column,
      order: sort?.order ?? ("desc" as const),
      onSort: (pressed: string) => replaceParams(afterPress(pressed, sort)),
    }),
    [column, sort],
  );
  const menu = useWithMenu(columns.live, copy, logMenu);

  const note =
    sort !== null
      ? ""
      : list.isFetching && list.ready && list.more && filters.hasAny(params)
        ? t.requestLog.looking
        : state !== undefined && state.in_flight > 0
          ? t.requestLog.running(state.in_flight)
          : "";
  const rebuilding = sort === null ? (list.head?.rebuilding ?? null) : sorted.rebuilding;
  return (
    <div
      className={
        id === null
          ? ""
          : "items-start gap-3 min-[1100px]:grid min-[1100px]:grid-cols-[minmax(0,1fr)_clamp(400px,40%,520px)]"
      }
    >
      <div className="min-w-0">
        <ActivityStrip filter={filter} paused={paused} />
        <section
          ref={panel}
          className="panel"
          aria-busy={!ready || (sort === null && live.shown !== filter) || undefined}
        >
          <LogHead {...{ params, copied, note, pause }} keyName={names.key} columns={columns.settled} />
          {rebuilding !== null && <p className={NOTE}>{t.table.rebuilding(rebuilding)}</p>}
          {sort !== null && !sorted.complete && <p className={NOTE}>{t.requestLog.incomplete}</p>}
          {sort === null && list.newer > 0 && !paused && (
            <div className="sticky top-12 z-10 flex h-0 justify-center">
              <Button look="primary" icon={<ArrowUp size={14} aria-hidden />} onClick={toTop}>
                {t.requestLog.newer}
              </Button>
            </div>
          )}
          {error !== null && <Failure error={error} onRetry={() => (sort === null ? live.retry() : sorted.retry())} />}
          {!ready || (empty && more) ? (
            error === null && <SkeletonRows rows={8} />
          ) : !empty ? (
            <DataTable
              key={JSON.stringify(sort === null ? live.shown : filter)}
              id="request-log"
              label={t.pages.requests}
              columns={menu}
              rows={rows}
              rowKey={rowId}
              onOpen={openRequest}
              shown={id}
              across={columns.across}
              sorting={sorting}
              live={sort === null}
              dense
            />
          ) : filters.hasAny(params) ? (
            <Empty
              title={t.table.noMatch}
              help=""
              action={<Button onClick={() => replaceParams(filters.none)}>{t.table.clearFilter}</Button>}
            />
          ) : (
            <Empty
              icon={<Activity size={24} aria-hidden />}
              title={t.overview.recentEmpty}
              help={t.requestLog.emptyHelp}
            />
          )}
        </section>
      </div>
      {id !== null && (
        <RequestPanel
          id={id}
          known={opened === undefined || isRunning(opened) ? null : opened}
          running={opened !== undefined && isRunning(opened) ? opened : undefined}
          tab={getRequestTab(params.get("tab"))}
          q={q}
          onTab={(tab) => replaceParams({ tab: tab === "overview" && q === "" ? null : tab })}
          onMove={onMove}
          onCopy={copy}
          onClose={closeRequest}
          onFilter={replaceParams}
        />
      )}
    </div>
  );
}

/** Returns the previous object as long as its content is equal. */
function useSame<Value>(value: Value): Value {
  const [stable, hold] = useState(value);
  if (JSON.stringify(stable) === JSON.stringify(value)) return stable;
  hold(value);
  return value;
}

/** Returns the running requests; while the log is paused, those at the time of the pause. */
function useStableRunning(running: readonly RunningRequest[], paused: boolean): readonly RunningRequest[] {
  const [stable, hold] = useState(running);
  if (!paused && stable !== running) hold(running);
  return paused ? stable : running;
}

import type { Query, QueryClient } from "@tanstack/react-query";
import type { ControlOutput } from "../../gateway/contract/control.ts";
import type { GatewayEvent } from "../../gateway/contract/events.ts";
import type { McpCall, McpView } from "../../gateway/contract/mcp.ts";
import type { Receipt } from "../../gateway/contract/receipt.ts";
import { matchesRequest, getSearch, type Search } from "../../gateway/contract/matches-request.ts";
import type { TaskRow } from "../../gateway/contract/tasks.ts";
import { askAgain } from "./ask-again.ts";
import { receiveTasks } from "./live-tasks.ts";
import { queryNames } from "./query-names.ts";
import type { RequestFilter } from "./query-names.ts";

/** Max calls, equal to the gateway's. */
export const MOST_CALLS = 200;

/**
 * Applies tool calls to the cached view. Returns the names of queries to refetch, because a pending response may be
 * older than these calls.
 */
export function receiveCalls(cache: QueryClient, calls: readonly McpCall[]): readonly string[] {
  const key = [queryNames.mcp];
  cache.setQueryData<McpView>(key, (view) => (view === undefined ? view : { ...view, calls: withCalls(view, calls) }));
  return cache.getQueryState(key)?.fetchStatus === "fetching" ? [queryNames.mcp] : [];
}

/** Updates a known call in place; a new one is added on top. */
export function withCalls({ calls: before }: Pick<McpView, "calls">, changed: readonly McpCall[]): McpCall[] {
  const newest = new Map(changed.map((call) => [call.id, call]));
  const updated = before.map((call) => {
    const next = newest.get(call.id);
    newest.delete(call.id);
    // A finished call does not run again, so a late event of an earlier step is ignored.
    return next === undefined || (call.status !== "running" && next.status === "running") ? call : next;
  });
  const fresh = [...newest.values()].toSorted((a, b) => b.at - a.at);
  const oldest =
    before.length < MOST_CALLS ? Number.NEGATIVE_INFINITY : (before.at(-1)?.at ?? Number.NEGATIVE_INFINITY);
  return [...fresh.filter(({ at }) => at >= oldest), ...updated].slice(0, MOST_CALLS);
}

type RecordingsView = ControlOutput<"recordings">;
export type RequestPage = ControlOutput<"listRequests">;

/** Min milliseconds between refetches of figures that change with every request. */
const REFRESH_MS = 1_000;

/** Milliseconds after a response until its recording is searchable, when the list is refetched. */
const RECORDED_MS = 1_500;

export interface Live {
  receive(event: GatewayEvent): void;
  /** Refreshes everything when events start, or resume after a gap: changes before that, or during a fetch, had no event. */
  refreshAll(): void;
  stop(): void;
}

/**
 * Applies gateway events to the query cache: a settled request is added to matching lists, and affected figures are
 * refetched, at most once per second. Changed tasks and tool calls update their rows. Updates are applied once per
 * animation frame (`schedule`).
 */
export function createLive(cache: QueryClient, schedule: (run: () => void) => void): Live {
  let arrived: Receipt[] = [];
  let changed: TaskRow[] = [];
  let called: McpCall[] = [];
  const stale = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let recorded: ReturnType<typeof setTimeout> | undefined;

  const refresh = (): void => {
    timer = undefined;
    if (stale.size === 0) return;
    const names = [...stale];
    stale.clear();
    timer = setTimeout(refresh, REFRESH_MS);
    for (const name of names) askAgain(cache, { queryKey: [name] });
  };
  const renew = (...names: string[]): void => {
    for (const name of names) stale.add(name);
    if (timer === undefined) refresh();
  };
  const renewSearched = (): void => {
    if (cache.getQueryData<RecordingsView>([queryNames.recordings])?.on !== true) return;
    recorded ??= setTimeout(() => {
      recorded = undefined;
      const predicate = ({ queryKey }: Query): boolean => (queryKey[1] as RequestFilter | undefined)?.q !== undefined;
      askAgain(cache, { queryKey: [queryNames.requests], predicate });
    }, RECORDED_MS);
  };
  const flush = (): void => {
    const receipts = arrived;
    arrived = [];
    for (const query of cache.getQueryCache().findAll({ queryKey: [queryNames.requests] })) {
      const connections = cache.getQueryData<ControlOutput<"listConnections">["data"]>([queryNames.connections]);
      const filter = getSearch(query.queryKey[1] as RequestFilter, connections ?? []);
      if (receipts.some((receipt) => mayBeRecorded(receipt, filter))) renewSearched();
      const add = (): void =>
        void cache.setQueryData<RequestPage>(query.queryKey, (page) =>
          page === undefined ? page : withReceipts(page, receipts, filter),
        );
      add();
      const rows = cache.getQueryData<RequestPage>(query.queryKey)?.data.length ?? 0;
      if (rows > MAX_RECENT_ROWS) askAgain(cache, { queryKey: query.queryKey, exact: true });
      // A pending response may be older than these receipts and would replace the list.
      if (query.state.fetchStatus === "fetching") void query.promise?.then(add, () => undefined);
    }
  };
  const flushTasks = (): void => {
    const tasks = changed;
    changed = [];
    renew(...receiveTasks(cache, tasks));
  };

  const flushCalls = (): void => {
    const calls = called;
    called = [];
    renew(...receiveCalls(cache, calls));
  };

  return {
    receive(event) {
      switch (event.type) {
        case "request.settled":
          if (arrived.push(event.receipt) === 1) schedule(flush);
          renew(queryNames.state, queryNames.keys, queryNames.budgets, queryNames.usage);
          if (event.receipt.session !== undefined) renew(queryNames.sessions, queryNames.turns);
          return;
        case "traffic.changed":
          cache.setQueryData<ControlOutput<"state">>([queryNames.state], (state) =>
            state === undefined || state.in_flight === event.in_flight
              ? state
              : { ...state, in_flight: event.in_flight },
          );
          // Reported at most twice per second, and refetched only if a page shows running requests.
          askAgain(cache, { queryKey: [queryNames.running] });
          return;
        case "task.changed":
          if (changed.push(event.task) === 1) schedule(flushTasks);
          return;
        case "mcp.called":
          if (called.push(event.call) === 1) schedule(flushCalls);
          return;
        case "webhooks.changed":
          return renew(queryNames.webhooks, queryNames.task);
        case "media.changed":
          return renew(queryNames.media, queryNames.mediaItem);
        case "keys.changed":
          return renew(queryNames.keys);
        case "budgets.changed":
          return renew(queryNames.budgets);
        case "models.changed":
          return renew(queryNames.models, queryNames.routes);
        case "connections.changed":
          return renew(
            queryNames.connections,
            queryNames.state,
            queryNames.models,
            queryNames.routes,
            queryNames.foundKeys,
            queryNames.localServers,
            queryNames.keyProtection,
          );
        case "settings.changed":
          return renew(
            queryNames.state,
            queryNames.settings,
            queryNames.address,
            queryNames.recordings,
            queryNames.request,
            queryNames.priceList,
            queryNames.search,
            queryNames.telemetry,
            // The sandbox serves its own models.
            queryNames.models,
          );
        case "notices.changed":
          return renew(queryNames.state);
      }
    },
    refreshAll: () => askAgain(cache),
    stop() {
      clearTimeout(timer);
      clearTimeout(recorded);
    },
  };
}

/** Tells whether only the recording of a request can decide if a search matches. */
function mayBeRecorded(receipt: Receipt, { q, ...filter }: Search): boolean {
  return q !== undefined && matchesRequest(receipt, filter) && !matchesRequest(receipt, { q, ...filter });
}

/** Rows of the first page of requests. */
export const RECENT_ROWS = 50;
/** Max rows of the page including new ones; beyond it the page is refetched. */
export const MAX_RECENT_ROWS = 1_000;

/** Adds new matching receipts on top of the page, without duplicates. Its cursor stays valid. */
export function withReceipts(page: RequestPage, receipts: readonly Receipt[], filter: Search): RequestPage {
  const known = new Set(page.data.map((receipt) => receipt.id));
  const fresh = receipts.filter((receipt) => !known.has(receipt.id) && matchesRequest(receipt, filter));
  if (fresh.length === 0) return page;
  return { ...page, data: [...fresh.toReversed(), ...page.data] };
}

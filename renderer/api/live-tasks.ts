import { hashKey, type Query, type QueryClient } from "@tanstack/react-query";
import type { TaskDetail, TaskRow } from "../../gateway/contract/tasks.ts";
import { askOnceMore } from "./ask-again.ts";
import { queryNames, type TaskFilter } from "./query-names.ts";
import { withTask, type CachedTaskPage } from "./task-pages.ts";

/**
 * Brings changed tasks into the cached lists and details. Returns the names of what has to be asked for again, because
 * only the gateway knows what became of it.
 */
export function receiveTasks(cache: QueryClient, tasks: readonly TaskRow[]): readonly string[] {
  const stale = new Set<string>();
  for (const list of listsOf(cache).values()) if (changeList(cache, list, tasks)) stale.add(queryNames.tasks);
  for (const task of tasks) {
    const key = [queryNames.task, task.id];
    if (cache.getQueryState(key) === undefined) continue;
    // Fields of a row are shown immediately; timeline, webhook deliveries and results come with the response.
    cache.setQueryData<TaskDetail>(key, (detail) => (detail === undefined ? detail : { ...detail, ...task }));
    stale.add(queryNames.task);
  }
  return [...stale];
}

/** The cached pages, list by list. */
function listsOf(cache: QueryClient): ReadonlyMap<string, readonly Query[]> {
  const queries = cache.getQueryCache().findAll({ queryKey: [queryNames.tasks] });
  return Map.groupBy(queries, ({ queryKey }) => hashKey([queryKey[1]]));
}

/** Changes the pages of one list; `true` when they have to be asked for again. */
function changeList(cache: QueryClient, list: readonly Query[], tasks: readonly TaskRow[]): boolean {
  const before = new Map(
    list.flatMap(({ queryKey, state }) =>
      state.data === undefined ? [] : [[queryKey[2] as number, state.data as CachedTaskPage]],
    ),
  );
  const [, filter] = list[0]?.queryKey ?? [];
  // A response that is under way may be older than these events, and overwrites what they change.
  let stale = list.some(({ state }) => state.fetchStatus === "fetching");
  let pages: ReadonlyMap<number, CachedTaskPage> = before;
  for (const query of list) askOnceMore(cache, query);
  if (before.size > 0) {
    for (const task of tasks) {
      const next = withTask(pages, task, filter as TaskFilter);
      pages = next.pages;
      stale ||= next.stale;
    }
  }
  for (const { queryKey } of list) {
    const page = pages.get(queryKey[2] as number);
    if (page !== undefined && page !== before.get(queryKey[2] as number)) cache.setQueryData(queryKey, page);
  }
  return stale;
}

import type { QueryClient } from "@tanstack/react-query";
import type { TaskDetail, TaskPage, TaskRow } from "../../gateway/contract/tasks.ts";
import { queryNames } from "./query-names.ts";

/**
 * Applies changed tasks to the cached first pages and details.
 * @returns the queries to fetch again: only the gateway knows order, filter and totals
 */
export function receiveTasks(cache: QueryClient, tasks: readonly TaskRow[]): readonly string[] {
  const changed = new Map(tasks.map((task) => [task.id, task]));
  cache.setQueriesData<TaskPage>({ queryKey: [queryNames.tasks] }, (page) =>
    page?.data.some(({ id }) => changed.has(id)) === true
      ? { ...page, data: page.data.map((row) => changed.get(row.id) ?? row) }
      : page,
  );
  let isOpen = false;
  for (const task of tasks) {
    const key = [queryNames.task, task.id];
    isOpen ||= cache.getQueryState(key) !== undefined;
    // Timeline, webhook deliveries and results come with the response.
    cache.setQueryData<TaskDetail>(key, (detail) => (detail === undefined ? detail : { ...detail, ...task }));
  }
  return isOpen ? [queryNames.tasks, queryNames.task] : [queryNames.tasks];
}

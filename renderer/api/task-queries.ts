import { useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useCallback } from "react";
import type { TaskDetail, TaskRow, WebhooksView } from "../../gateway/contract/tasks.ts";
import { useGateway } from "./gateway.tsx";
import { usePagedRows, type PagedRows } from "./paged-rows.ts";
import { queryNames, type TaskFilter } from "./query-names.ts";
import type { CachedTaskPage } from "./task-pages.ts";

/** While older tasks are still being read after a start, the list grows without events. */
const INCOMPLETE_EVERY_MS = 1_000;
/** The next attempt of a callback, and a deadline, come by the clock alone. */
const DETAIL_EVERY_MS = 30_000;

/** All video tasks that a filter lets in, fetched as they are scrolled to, kept fresh by events. */
export function useTasks(filter: TaskFilter): PagedRows<TaskRow, TaskFilter, CachedTaskPage> {
  const { client } = useGateway();
  const fetchPage = useCallback(
    (of: TaskFilter, offset: number, limit: number): Promise<CachedTaskPage> =>
      client.call("listTasks", { ...of, offset, limit }),
    [client],
  );
  return usePagedRows({ name: queryNames.tasks, filter, fetchPage, again });
}

const again = ({ complete }: CachedTaskPage): number | false => (complete ? false : INCOMPLETE_EVERY_MS);

export function useTask(id: string): UseQueryResult<TaskDetail> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.task, id],
    queryFn: () => client.call("getTask", {}, id),
    refetchInterval: DETAIL_EVERY_MS,
  });
}

/** Takes a response that holds the whole task as the newest that is known of it. */
export function useTaskResponse(): (task: TaskDetail) => void {
  const cache = useQueryClient();
  return useCallback((task) => void cache.setQueryData([queryNames.task, task.id], task), [cache]);
}

export function useWebhooks(): UseQueryResult<WebhooksView> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.webhooks],
    queryFn: () => client.call("webhooks"),
    refetchInterval: DETAIL_EVERY_MS,
    // The secret stays in memory only as long as it can be looked at.
    gcTime: 0,
  });
}

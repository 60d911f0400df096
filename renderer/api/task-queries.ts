import { useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useCallback } from "react";
import type { TaskDetail, TaskPage, TaskRow, WebhooksView } from "../../gateway/contract/tasks.ts";
import type { ListPage, PageStart } from "../lib/list-chunks.ts";
import type { ControlClient } from "./client.ts";
import { useGateway } from "./gateway.tsx";
import { queryNames, type TaskFilter } from "./query-names.ts";

/** Rows per page of tasks. */
export const TASK_ROWS = 100;
/** Refetch interval in ms, because the next attempt of a webhook and deadlines have no events. */
const DETAIL_EVERY_MS = 30_000;
/** The list of the Tasks page as it opens: both share one response, and the events that change it. */
const NEWEST: TaskFilter = {};
const FROM_TOP: PageStart = { before: null, offset: 0 };

export type TaskListPage = TaskPage & ListPage<TaskRow> & { readonly rebuilding: number | null };

/** Fetches a page of tasks. Their order may depend on changing values, so the cursor is an offset. */
export async function fetchTasks(
  client: ControlClient,
  filter: TaskFilter,
  { before, offset }: PageStart,
  limit: number,
): Promise<TaskListPage> {
  const first = Number(before ?? 0) + offset;
  const page = await client.call("listTasks", { ...filter, offset: first, limit });
  const last = first + page.data.length;
  return { ...page, cursor: last < page.total ? String(last) : null, rebuilding: page.complete ? null : 0 };
}

/** The newest video tasks, and how many of all have not ended. */
export function useNewestTasks(): UseQueryResult<TaskListPage> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.tasks, NEWEST],
    queryFn: () => fetchTasks(client, NEWEST, FROM_TOP, TASK_ROWS),
  });
}

/** Returns the tasks that have not ended, newest first. */
export const listUnfinished = ({ data }: TaskPage): readonly TaskRow[] =>
  data.filter(({ status }) => status === "submitted" || status === "running");

export function useTask(id: string): UseQueryResult<TaskDetail> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.task, id],
    queryFn: () => client.call("getTask", {}, id),
    refetchInterval: DETAIL_EVERY_MS,
  });
}

/** Applies a response with a complete task to the cache as its newest state. */
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
    // The secret stays in memory only while it is shown.
    gcTime: 0,
  });
}

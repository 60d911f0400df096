import { useCallback } from "react";
import type { TaskRow } from "../../../gateway/contract/tasks.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames, type TaskFilter } from "../../api/query-names.ts";
import { fetchTasks, TASK_ROWS, type TaskListPage } from "../../api/task-queries.ts";
import { useList, type ListView } from "../../api/use-list.ts";
import type { PageStart } from "../../lib/list-chunks.ts";

/** All video tasks that a filter lets in, fetched as they are scrolled to, kept fresh by events. */
export function useTasks(filter: TaskFilter): ListView<TaskRow, TaskFilter, TaskListPage> {
  const { client } = useGateway();
  const fetchPage = useCallback(
    (of: TaskFilter, start: PageStart, limit: number) => fetchTasks(client, of, start, limit),
    [client],
  );
  return useList({ name: queryNames.tasks, filter, fetchPage, pageRows: TASK_ROWS, isReordered: true });
}

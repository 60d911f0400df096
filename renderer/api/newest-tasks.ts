import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { TaskRow } from "../../gateway/contract/tasks.ts";
import { useGateway } from "./gateway.tsx";
import { PAGE_ROWS } from "./paged-rows.ts";
import { queryNames, type TaskFilter } from "./query-names.ts";
import type { CachedTaskPage } from "./task-pages.ts";

/** The list of the Tasks page as it opens: both share one response, and the events that change it. */
const NEWEST: TaskFilter = {};

/** The newest video tasks, and how many of all have not ended. */
export function useNewestTasks(): UseQueryResult<CachedTaskPage> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.tasks, NEWEST, 0],
    queryFn: (): Promise<CachedTaskPage> => client.call("listTasks", { offset: 0, limit: PAGE_ROWS }),
  });
}

/** Returns the tasks that have not ended, newest first. */
export function unfinished({ data }: CachedTaskPage): readonly TaskRow[] {
  return data.filter(
    (task) => task !== undefined && (task.status === "submitted" || task.status === "running"),
  ) as readonly TaskRow[];
}

import { useQuery } from "@tanstack/react-query";
import type { TaskRow } from "../../../gateway/contract/tasks.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";

/** Max finished tasks considered: the newest ones reflect a provider's current speed. */
const LOOKED_AT = 50;
/** Min tasks for a typical time: a single task does not predict the next. */
const FEWEST = 2;
const STALE_MS = 5 * 60_000;

type Job = Pick<TaskRow, "model" | "seconds" | "resolution">;
type Done = Job & Pick<TaskRow, "created_at" | "finished_at" | "status">;

/**
 * Returns the usual duration of such a task in ms: the median of earlier ones of the same model, with the same length
 * and resolution if there are enough. Null if there are too few.
 */
export function typicalMs(done: readonly Done[], { model, seconds, resolution }: Job): number | null {
  const ofModel = done.filter((task) => task.model === model && task.status === "succeeded");
  const alike = ofModel.filter((task) => task.seconds === seconds && task.resolution === resolution);
  const times = (alike.length >= FEWEST ? alike : ofModel)
    .flatMap(({ created_at, finished_at }) => (finished_at === null ? [] : [finished_at - created_at]))
    .toSorted((a, b) => a - b);
  return times.length < FEWEST ? null : (times[Math.floor(times.length / 2)] ?? null);
}

/** The same, fetched from the gateway's earlier tasks. */
export function useTypicalMs(task: Job): number | null {
  const { client } = useGateway();
  const { data } = useQuery({
    queryKey: [queryNames.taskTimes, task.model],
    queryFn: () => client.call("listTasks", { model: task.model, status: "succeeded", limit: LOOKED_AT }),
    staleTime: STALE_MS,
  });
  return data === undefined ? null : typicalMs(data.data, task);
}

import { Clapperboard } from "lucide-react";
import type { ReactNode } from "react";
import { useTask } from "../../../api/task-queries.ts";
import { TaskCost, TaskStatusBadge } from "../../../components/task/task-cells.tsx";
import { TaskResult } from "../../../components/task/task-result.tsx";
import { buttonClass } from "../../../components/ui/button.tsx";
import { Failure, SkeletonRows } from "../../../components/ui/states.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import { routeHash } from "../../../lib/router.ts";

/** The state of a task, and the video when it is made. */
export function FollowedTask({ id }: { readonly id: string }): ReactNode {
  const t = useMessages();
  const { data: task, error, refetch } = useTask(id);
  if (task === undefined) {
    return error === null ? <SkeletonRows rows={3} /> : <Failure error={error} onRetry={() => void refetch()} />;
  }
  return (
    <>
      <TaskResult task={task} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <output>
          <TaskStatusBadge task={task} />
        </output>
        <TaskCost task={task} />
        <span className="grow" />
        <a href={routeHash("tasks", { task: id })} className={`${buttonClass("plain")} no-underline`}>
          <Clapperboard size={14} aria-hidden />
          {t.playground.showTask}
        </a>
      </div>
    </>
  );
}

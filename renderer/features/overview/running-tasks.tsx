import type { ReactNode } from "react";
import { listUnfinished, useNewestTasks } from "../../api/task-queries.ts";
import { Moment } from "../../components/ui/figures.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { routeHash } from "../../lib/router.ts";
import { getPrompt, TaskStatusBadge } from "../../components/task/task-cells.tsx";

/** Max tasks for a quick overview; the others are on the Tasks page. */
const MOST = 4;

/** Video tasks that have not ended; hidden if empty. */
export function RunningTasks(): ReactNode {
  const t = useMessages();
  const { data } = useNewestTasks();
  const tasks = data === undefined ? [] : listUnfinished(data).slice(0, MOST);
  if (data === undefined || tasks.length === 0) return null;
  return (
    <section className="panel" aria-label={t.overview.runningTasks}>
      <div className="flex min-h-10 items-center gap-2 border-b border-line py-1 pr-3.5 pl-3.5">
        <h2 className="min-w-0 grow truncate font-semibold">{t.overview.runningTasks}</h2>
        <a href={routeHash("tasks")}>{t.overview.allTasks}</a>
      </div>
      <ul className="py-1">
        {tasks.map((task) => (
          <li key={task.id} className="flex h-8 items-center gap-3 px-3.5">
            <span className="shrink-0">
              <TaskStatusBadge task={task} />
            </span>
            <a
              href={routeHash("tasks", { task: task.id })}
              className="min-w-0 grow truncate text-text"
              title={getPrompt(task, t)}
            >
              {getPrompt(task, t)}
            </a>
            <span className="truncate text-muted max-wide:hidden">{task.model}</span>
            <span className="shrink-0 text-meta text-faint">
              <Moment at={task.created_at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

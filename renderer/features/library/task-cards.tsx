import { Clapperboard, X } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { TaskRow } from "../../../gateway/contract/tasks.ts";
import { listUnfinished, useNewestTasks } from "../../api/task-queries.ts";
import { useTask } from "../../api/task-queries.ts";
import { useMediaItem } from "../../components/media/use-media-item.ts";
import { CancelTask } from "../../components/task/cancel-task.tsx";
import { getPrompt, TaskCost, TaskStatusBadge } from "../../components/task/task-cells.tsx";
import { TaskProgress, TaskTime } from "../../components/task/task-progress.tsx";
import { IconButton } from "../../components/ui/button.tsx";
import { Cost } from "../../components/ui/figures.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { replaceParams, routeHash } from "../../lib/router.ts";
import { Poster } from "./poster.tsx";
import type { PosterQueue } from "./poster-queue.ts";
import type { TilePlayer } from "./tile-player.ts";

/** Beyond that the page Tasks has the better view of them. */
const MOST_CARDS = 8;

export interface TaskCardsProps {
  readonly posters: PosterQueue;
  readonly player: TilePlayer;
}

/**
 * Videos in progress, above the grid. A task that ends while the page is open keeps its place: its card becomes the
 * video, or shows the failure.
 */
export function TaskCards({ posters, player }: TaskCardsProps): ReactNode {
  const t = useMessages();
  const { data } = useNewestTasks();
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const running = data === undefined ? [] : listUnfinished(data);
  const fresh = running.filter(({ id }) => !seen.has(id));
  if (fresh.length > 0) setSeen(new Set([...seen, ...fresh.map(({ id }) => id)]));
  const cards = (data?.data ?? []).filter((task) => task !== undefined && seen.has(task.id) && !dismissed.has(task.id));
  if (cards.length === 0) return null;
  const more = cards.length - MOST_CARDS;
  return (
    <section aria-label={t.library.making} className="border-b border-line p-3">
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,220px),1fr))] gap-3">
        {cards.slice(0, MOST_CARDS).map(
          (task) =>
            task !== undefined && (
              <li key={task.id} className="flex h-50 min-w-0 flex-col">
                {task.finished_at === null ? (
                  <RunningCard task={task} />
                ) : (
                  <EndedCard
                    task={task}
                    posters={posters}
                    player={player}
                    onDismiss={() => setDismissed(new Set([...dismissed, task.id]))}
                  />
                )}
              </li>
            ),
        )}
      </ul>
      {more > 0 && (
        <p className="mt-2">
          <a href={routeHash("tasks")}>{t.library.moreTasks(more)}</a>
        </p>
      )}
    </section>
  );
}

const stage = "relative flex min-h-0 grow flex-col items-center justify-center overflow-hidden rounded-md bg-hover";
const inCorner = "absolute top-1 right-1";

function RunningCard({ task }: { readonly task: TaskRow }): ReactNode {
  const t = useMessages();
  const { data: detail } = useTask(task.id);
  return (
    <>
      <div className={`${stage} gap-3 px-4 forced-colors:border`}>
        <span className="absolute top-2 left-2">
          <TaskStatusBadge task={{ ...task, progress: null }} />
        </span>
        {detail?.can.cancel === true && (
          <span className={inCorner}>
            <CancelTask task={detail} small />
          </span>
        )}
        <Clapperboard size={20} aria-hidden className="text-faint" />
        <TaskProgress task={task} />
      </div>
      <CardText task={task} />
      <span className="flex h-6 shrink-0 gap-2 text-meta leading-6 text-muted">
        <span className="min-w-0 grow truncate">
          <TaskTime task={task} />
        </span>
        {detail !== undefined && detail.held_nano > 0 && (
          <a href={routeHash("tasks", { task: task.id })} title={t.tasks.heldHelp}>
            {t.library.held} <Cost nano={detail.held_nano} sandbox={detail.sandbox} />
          </a>
        )}
      </span>
    </>
  );
}

interface EndedCardProps extends TaskCardsProps {
  readonly task: TaskRow;
  readonly onDismiss: () => void;
}

function EndedCard({ task, posters, player, onDismiss }: EndedCardProps): ReactNode {
  const t = useMessages();
  const { data: view } = useMediaItem(task.media);
  return (
    <>
      <div className={`${stage} [container-type:size] forced-colors:border`}>
        {view !== undefined && task.media !== null ? (
          <button
            type="button"
            aria-label={`${t.library.kindOf[view.kind]}: ${getPrompt(task, t)}`}
            onClick={() => replaceParams({ media: view.id })}
            onPointerEnter={() => player.look(view.id)}
            onPointerLeave={() => player.look(null)}
            onFocus={(event) => event.target.matches(":focus-visible") && player.look(view.id)}
            onBlur={() => player.look(null)}
            className="size-full rounded-md -outline-offset-2"
          >
            <Poster view={view} still posters={posters} player={player} />
          </button>
        ) : (
          <>
            <span className="absolute top-2 left-2">
              <TaskStatusBadge task={task} />
            </span>
            <p className="line-clamp-4 px-3 pt-5 text-meta text-muted">
              {task.error?.message ?? t.tasks.statusHelp[task.status]}
            </p>
          </>
        )}
        <span className={inCorner}>
          <IconButton label={t.library.dismiss} onClick={onDismiss}>
            <X size={13} aria-hidden />
          </IconButton>
        </span>
      </div>
      <CardText task={task} />
      <span className="flex h-6 shrink-0 gap-2 text-meta leading-6 text-faint">
        <span className="min-w-0 grow truncate">{task.model}</span>
        <TaskCost task={task} />
      </span>
    </>
  );
}

function CardText({ task }: { readonly task: TaskRow }): ReactNode {
  const t = useMessages();
  return (
    <a
      href={routeHash("tasks", { task: task.id })}
      title={getPrompt(task, t)}
      className="mt-0.5 block h-6 shrink-0 truncate leading-6 text-text no-underline hover:underline"
    >
      {getPrompt(task, t)}
    </a>
  );
}

import type { ReactNode } from "react";
import type { TaskDetail } from "../../../gateway/contract/tasks.ts";
import { routeHash } from "../../lib/router.ts";
import { buttonClass } from "../ui/button.tsx";
import { NoticeLine } from "../ui/states.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { getPrompt } from "./task-cells.tsx";
import { TaskProgress, TaskTime } from "./task-progress.tsx";

/** Current result of a task: the video, its progress, or the reason for its absence. */
export function TaskResult({ task }: { readonly task: TaskDetail }): ReactNode {
  const t = useMessages();
  const video = task.results.find(({ kind }) => kind === "video");
  const still = task.results.find(({ kind }) => kind === "image");
  if (video?.available === true) {
    const size =
      video.width !== null && video.height !== null ? { aspectRatio: `${video.width} / ${video.height}` } : {};
    return (
      <div className="flex flex-col gap-2">
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- A model's video has no words to write down that anybody knows. */}
        <video
          key={video.id}
          controls
          preload="metadata"
          src={video.link}
          {...(video.poster !== null && { poster: video.poster })}
          aria-label={t.tasks.videoLabel(getPrompt(task, t))}
          className="max-h-[52vh] w-full rounded-md border border-line bg-canvas"
          style={size}
        />
        {still?.available === true && (
          <figure className="flex items-center gap-2 text-meta text-muted">
            <img src={still.link} alt={t.tasks.lastFrame} className="h-14 rounded-sm border border-line" />
            <figcaption>{t.tasks.lastFrame}</figcaption>
          </figure>
        )}
      </div>
    );
  }
  switch (task.status) {
    case "submitted":
    case "running":
      return <Waiting task={task} />;
    case "succeeded":
      return <NoticeLine level="warning">{t.tasks.notSaved}</NoticeLine>;
    case "failed":
      return <Failed task={task} />;
    case "unknown":
      return <NoticeLine level="warning">{t.tasks.statusHelp.unknown}</NoticeLine>;
    case "cancelled":
      return <NoticeLine level="info">{task.error?.message ?? t.tasks.statusHelp.cancelled}</NoticeLine>;
  }
}

/** Shows why there is no video, and the remedy. */
function Failed({ task }: { readonly task: TaskDetail }): ReactNode {
  const t = useMessages();
  const { receipt } = task;
  return (
    <div className="flex flex-col gap-2">
      <NoticeLine level="danger">{task.error?.message ?? t.tasks.statusHelp.failed}</NoticeLine>
      <p className="flex flex-wrap items-center gap-2 text-muted">
        <span className="min-w-0 grow">
          {receipt !== null && `${t.requests.outcomeHelp[receipt.outcome]} `}
          {t.tasks.failedHelp}
        </span>
        <a
          href={routeHash("playground", { kind: "video", model: task.model, prompt: task.full_prompt })}
          className={`${buttonClass("plain")} text-text no-underline`}
        >
          {t.tasks.change}
        </a>
      </p>
    </div>
  );
}

function Waiting({ task }: { readonly task: TaskDetail }): ReactNode {
  const t = useMessages();
  const { status } = task;
  return (
    <div className="flex w-full flex-col items-center gap-3 rounded-md border border-line bg-canvas px-6 py-12">
      <p className="text-muted">{status === "running" ? t.tasks.statusHelp.running : t.tasks.waiting}</p>
      <TaskProgress task={task} />
      <p className="text-meta text-muted">
        <TaskTime task={task} />
      </p>
    </div>
  );
}

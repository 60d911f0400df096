import { Progress } from "@base-ui/react/progress";
import type { ReactNode } from "react";
import type { TaskDetail } from "../../../gateway/contract/tasks.ts";
import { NoticeLine } from "../ui/states.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { promptOf } from "./task-cells.tsx";

/** What came of it so far: the video, how far it is, or why there is none. */
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
          aria-label={t.tasks.videoLabel(promptOf(task, t))}
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
      return <NoticeLine level="danger">{task.error?.message ?? t.tasks.statusHelp.failed}</NoticeLine>;
    case "unknown":
      return <NoticeLine level="warning">{t.tasks.statusHelp.unknown}</NoticeLine>;
    case "cancelled":
      return <NoticeLine level="info">{task.error?.message ?? t.tasks.statusHelp.cancelled}</NoticeLine>;
  }
}

function Waiting({ task }: { readonly task: TaskDetail }): ReactNode {
  const t = useMessages();
  const { progress, status } = task;
  return (
    <div className="flex w-full flex-col items-center gap-3 rounded-md border border-line bg-canvas px-6 py-12">
      <p className="text-muted">{status === "running" ? t.tasks.statusHelp.running : t.tasks.waiting}</p>
      {progress !== null && (
        <Progress.Root
          value={progress}
          aria-label={t.tasks.progressOf(promptOf(task, t))}
          className="flex w-full max-w-70 items-center gap-2"
        >
          <Progress.Track className="h-1 grow overflow-hidden rounded-full bg-pressed forced-colors:border">
            <Progress.Indicator className="block h-full bg-info transition-[width] duration-300 forced-colors:bg-[Highlight]" />
          </Progress.Track>
          <span aria-hidden className="numeric text-meta text-muted">
            {t.tasks.percent(Math.round(progress))}
          </span>
        </Progress.Root>
      )}
    </div>
  );
}

import { Progress } from "@base-ui/react/progress";
import type { ReactNode } from "react";
import type { TaskRow } from "../../../gateway/contract/tasks.ts";
import { formatLength } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { useSeconds } from "../../lib/now.ts";
import { getPrompt } from "./task-cells.tsx";
import { useTypicalMs } from "./typical-time.ts";

type Timed = Pick<TaskRow, "created_at" | "model" | "seconds" | "resolution">;

/** Elapsed time of a task, ticking, and its usual remaining time. */
export function TaskTime({ task }: { readonly task: Timed }): ReactNode {
  const t = useMessages();
  const now = useSeconds();
  const typical = useTypicalMs(task);
  const elapsed = Math.max(0, now - task.created_at);
  const left = typical === null ? null : typical - elapsed;
  return (
    <span className="numeric" title={typical === null ? undefined : t.tasks.usually(formatLength(typical))}>
      {formatLength(elapsed)}
      {left !== null && (
        <span className="text-faint"> · {left > 0 ? t.tasks.left(formatLength(left)) : t.tasks.longer}</span>
      )}
    </span>
  );
}

/** Short form for a narrow table column: elapsed time, and after a slash the usual time. */
export function TaskTimeShort({ task }: { readonly task: Timed }): ReactNode {
  const t = useMessages();
  const now = useSeconds();
  const typical = useTypicalMs(task);
  return (
    <span className="numeric" title={typical === null ? undefined : t.tasks.usually(formatLength(typical))}>
      {formatLength(Math.max(0, now - task.created_at))}
      {typical !== null && <span className="text-faint"> / {formatLength(typical)}</span>}
    </span>
  );
}

/** Progress of a task as reported by its provider; empty if not reported. */
export function TaskProgress({ task }: { readonly task: Pick<TaskRow, "progress" | "prompt"> }): ReactNode {
  const t = useMessages();
  const { progress } = task;
  if (progress === null) return null;
  return (
    <Progress.Root
      value={progress}
      aria-label={t.tasks.progressOf(getPrompt(task, t))}
      className="flex w-full max-w-70 items-center gap-2"
    >
      <Progress.Track className="h-1 grow overflow-hidden rounded-full bg-pressed forced-colors:border">
        <Progress.Indicator className="block h-full bg-info transition-[width] duration-300 forced-colors:bg-[Highlight]" />
      </Progress.Track>
      <span aria-hidden className="numeric text-meta text-muted">
        {t.tasks.percent(Math.round(progress))}
      </span>
    </Progress.Root>
  );
}

import type { ReactNode } from "react";
import type { Delivery, TaskRow } from "../../../gateway/contract/tasks.ts";
import type { TaskStatus } from "../../../gateway/contract/videos.ts";
import { Badge, type Tone } from "../ui/badge.tsx";
import { Cost, costInWords, nothing } from "../ui/figures.tsx";
import { formatCount } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import type { Messages } from "../../locales/messages.ts";

const tones: Record<TaskStatus, Tone> = {
  submitted: "neutral",
  running: "info",
  succeeded: "success",
  failed: "danger",
  cancelled: "neutral",
  unknown: "warning",
};

const deliveryTones: Record<Delivery["state"], string> = {
  pending: "text-info-text",
  delivered: "text-muted",
  failed: "text-danger-text",
  disabled: "text-warning-text",
};

export const getPrompt = ({ prompt }: Pick<TaskRow, "prompt">, t: Messages): string =>
  prompt === "" ? t.tasks.noPrompt : prompt;

export const sizeInWords = ({ seconds, resolution }: TaskRow, t: Messages): string =>
  t.tasks.sizeOf(formatCount(seconds), resolution);

/** A status as a badge; a running task fills it as it comes along. */
export function TaskStatusBadge({ task }: { readonly task: TaskRow }): ReactNode {
  const t = useMessages();
  const { status, progress, error } = task;
  const percent = status === "running" && progress !== null ? Math.round(Math.min(100, Math.max(0, progress))) : null;
  return (
    <span
      className="relative inline-flex overflow-hidden rounded-sm"
      title={error?.message ?? t.tasks.statusHelp[status]}
    >
      <Badge tone={tones[status]}>
        {t.tasks.statuses[status]}
        {percent !== null && <span className="numeric pl-1.5">{t.tasks.percent(percent)}</span>}
      </Badge>
      {percent !== null && (
        <span
          aria-hidden
          className="absolute inset-x-0 bottom-0 h-0.5 origin-left bg-info transition-transform duration-300 forced-colors:bg-[Highlight]"
          style={{ transform: `scaleX(${percent / 100})` }}
        />
      )}
    </span>
  );
}

/** Cost of a task: pending, free, unpriced, or an amount. */
export function TaskCost({ task }: { readonly task: TaskRow }): ReactNode {
  const t = useMessages();
  if (task.nano !== null) return <Cost nano={task.nano} sandbox={task.sandbox} />;
  if (!task.priced) return <Cost nano={null} sandbox={task.sandbox} />;
  return <span title={t.tasks.notCharged}>{nothing}</span>;
}

export const taskCostInWords = (task: TaskRow, t: Messages): string =>
  task.nano === null && task.priced ? "" : costInWords(task, t);

export function DeliveryState({ state }: { readonly state: Delivery["state"] | null }): ReactNode {
  const t = useMessages();
  if (state === null) return nothing;
  return <span className={deliveryTones[state]}>{t.tasks.deliveries[state]}</span>;
}

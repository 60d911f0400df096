import { useMemo, type ReactNode } from "react";
import type { TaskRow } from "../../../gateway/contract/tasks.ts";
import { momentColumn, quietColumn } from "../../components/table/column-kinds.tsx";
import type { AcrossCells, Column } from "../../components/table/column.ts";
import { TaskTimeShort } from "../../components/task/task-progress.tsx";
import { formatLength } from "../../lib/format.ts";
import { useMessages, useSpeech } from "../../lib/i18n.tsx";
import {
  DeliveryState,
  getPrompt,
  sizeInWords,
  TaskCost,
  taskCostInWords,
  TaskStatusBadge,
} from "../../components/task/task-cells.tsx";

/** Returns why a task failed, as reported by the provider or Postern; empty for any other task. */
const getReason = ({ status, error }: TaskRow): string => (status === "failed" ? (error?.message ?? "") : "");

/** Why a task failed, in place of its duration and time, if these columns fit. */
export const acrossTasks: AcrossCells<TaskRow> = {
  columns: new Set(["size", "time"]),
  cell(row) {
    const reason = getReason(row);
    return reason === "" ? null : (
      <span className="text-danger-text" title={reason}>
        {reason}
      </span>
    );
  },
};

/** Prompt of a task and, in a narrow window, why it failed. */
function PromptCell({ task }: { readonly task: TaskRow }): ReactNode {
  const t = useMessages();
  const reason = getReason(task);
  const prompt = getPrompt(task, t);
  return (
    <span className="flex gap-2">
      <span
        className={`truncate ${reason === "" ? "" : "max-wide:max-w-1/2 max-wide:shrink-0"} ${task.prompt === "" ? "text-faint" : ""}`}
        title={prompt}
      >
        {prompt}
      </span>
      {reason !== "" && (
        <span className="wide:hidden truncate text-danger-text" title={reason}>
          {reason}
        </span>
      )}
    </span>
  );
}

/** The columns of the tasks table. `keyName` has to be stable. */
export function useTaskColumns(keyName: (id: string) => string): readonly Column<TaskRow>[] {
  const { t, language } = useSpeech();
  return useMemo(
    () => [
      {
        id: "status",
        label: t.tasks.status,
        track: "clamp(100px, 10%, 108px)",
        essential: true,
        cell: (row) => <TaskStatusBadge task={row} />,
        text: (row) => t.tasks.statuses[row.status],
      },
      {
        id: "prompt",
        label: t.tasks.prompt,
        track: "minmax(96px, 2.4fr)",
        essential: true,
        cell: (row) => <PromptCell task={row} />,
        text: (row) => [row.prompt, getReason(row)].filter(Boolean).join(" · "),
      },
      quietColumn({ id: "model", label: t.tasks.model, track: "minmax(104px, 1fr)", from: 620 }, (row) => row.model),
      quietColumn({ id: "key", label: t.tasks.key, track: "minmax(80px, 0.8fr)", from: 900 }, (row) =>
        keyName(row.key),
      ),
      {
        id: "size",
        label: t.tasks.size,
        track: "92px",
        end: true,
        from: 720,
        cell: (row) => <span className="text-muted">{sizeInWords(row, t)}</span>,
        text: (row) => sizeInWords(row, t),
      },
      {
        id: "time",
        label: t.tasks.time,
        track: "92px",
        end: true,
        from: 980,
        cell: (row) =>
          row.finished_at === null ? (
            <TaskTimeShort task={row} />
          ) : (
            <span className="numeric text-muted">{formatLength(row.finished_at - row.created_at)}</span>
          ),
        text: (row) => (row.finished_at === null ? "" : formatLength(row.finished_at - row.created_at)),
      },
      {
        id: "cost",
        label: t.tasks.cost,
        track: "80px",
        end: true,
        essential: true,
        sortable: true,
        cell: (row) => <TaskCost task={row} />,
        text: (row) => taskCostInWords(row, t),
      },
      {
        id: "webhook",
        label: t.tasks.webhook,
        track: "76px",
        from: 820,
        cell: (row) => <DeliveryState state={row.webhook} />,
        text: (row) => (row.webhook === null ? "" : t.tasks.deliveries[row.webhook]),
      },
      momentColumn(
        { id: "created", label: t.tasks.created, track: "92px", from: 440, sortable: true },
        language,
        (row) => row.created_at,
      ),
      momentColumn(
        { id: "finished", label: t.tasks.finished, track: "92px", from: 1_120, sortable: true },
        language,
        (row) => row.finished_at,
      ),
    ],
    [t, language, keyName],
  );
}

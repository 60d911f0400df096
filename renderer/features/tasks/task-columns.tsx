import { useMemo } from "react";
import type { TaskRow } from "../../../gateway/contract/tasks.ts";
import type { Column } from "../../components/table/column.ts";
import { Moment, nothing } from "../../components/ui/figures.tsx";
import { formatMoment } from "../../lib/format.ts";
import { useSpeech } from "../../lib/i18n.tsx";
import { costInWords, DeliveryState, promptOf, sizeInWords, TaskCost, TaskStatusBadge } from "./task-cells.tsx";

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
        cell: (row) => (
          <span className={row.prompt === "" ? "text-faint" : ""} title={promptOf(row, t)}>
            {promptOf(row, t)}
          </span>
        ),
        text: (row) => row.prompt,
      },
      {
        id: "model",
        label: t.tasks.model,
        track: "minmax(104px, 1fr)",
        from: 620,
        cell: (row) => (
          <span className="text-muted" title={row.model}>
            {row.model}
          </span>
        ),
        text: (row) => row.model,
      },
      {
        id: "key",
        label: t.tasks.key,
        track: "minmax(80px, 0.8fr)",
        from: 900,
        cell: (row) => (
          <span className="text-muted" title={keyName(row.key)}>
            {keyName(row.key)}
          </span>
        ),
        text: (row) => keyName(row.key),
      },
      {
        id: "size",
        label: t.tasks.size,
        track: "92px",
        end: true,
        from: 720,
        cell: (row) => (
          <span className="text-muted" title={`${sizeInWords(row, t)} · ${row.ratio}`}>
            {sizeInWords(row, t)}
          </span>
        ),
        text: (row) => sizeInWords(row, t),
      },
      {
        id: "cost",
        label: t.tasks.cost,
        track: "80px",
        end: true,
        essential: true,
        sortable: true,
        cell: (row) => <TaskCost task={row} />,
        text: (row) => costInWords(row, t),
      },
      {
        id: "webhook",
        label: t.tasks.webhook,
        track: "76px",
        from: 820,
        cell: (row) => <DeliveryState state={row.webhook} />,
        text: (row) => (row.webhook === null ? "" : t.tasks.deliveries[row.webhook]),
      },
      {
        id: "created",
        label: t.tasks.created,
        track: "92px",
        from: 440,
        sortable: true,
        cell: (row) => (
          <span className="text-muted">
            <Moment at={row.created_at} />
          </span>
        ),
        text: (row) => formatMoment(row.created_at, language),
      },
      {
        id: "finished",
        label: t.tasks.finished,
        track: "92px",
        from: 1_120,
        sortable: true,
        cell: (row) =>
          row.finished_at === null ? (
            nothing
          ) : (
            <span className="text-muted">
              <Moment at={row.finished_at} />
            </span>
          ),
        text: (row) => (row.finished_at === null ? "" : formatMoment(row.finished_at, language)),
      },
    ],
    [t, language, keyName],
  );
}

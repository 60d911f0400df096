import type { ReactNode } from "react";
import type { TaskDetail } from "../../../gateway/contract/tasks.ts";
import { useKeyNames } from "../../api/key-names.ts";
import { useGatewayState } from "../../api/queries.ts";
import { useTask } from "../../api/task-queries.ts";
import { CopyButton, CopyIcon } from "../../components/ui/copy.tsx";
import { Modal } from "../../components/ui/dialog.tsx";
import { Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { codeSample } from "../../lib/samples/code-sample.ts";
import { WebhookDeliveries } from "./webhook-deliveries.tsx";
import { TaskActionBar } from "./task-actions.tsx";
import { getPrompt, TaskStatusBadge } from "../../components/task/task-cells.tsx";
import { TaskFacts } from "./task-facts.tsx";
import { TaskResult } from "../../components/task/task-result.tsx";
import { useTaskActions } from "./use-task-actions.ts";
import { Section } from "../../components/ui/section.tsx";
import { ReceiptTable } from "../../components/request/receipt-table.tsx";
import { Cost, Moment } from "../../components/ui/figures.tsx";
import { getName } from "../../lib/names.ts";

/** Tells whether inline media is missing in the stored request. */
export const hasOmitted = (request: unknown): boolean => /"data:[^"]*;omitted,\d+"/.test(JSON.stringify(request) ?? "");

export interface TaskDialogProps {
  /** The task to show; null for none. */
  readonly id: string | null;
  readonly onClose: () => void;
}

/** Returns the originating row, or the focusable row if that is no longer rendered. */
const rowInTable = (): HTMLElement | null => document.querySelector<HTMLElement>("main [data-active]");

/** All that is known of one task, fresh while it is open. */
export function TaskDialog({ id, onClose }: TaskDialogProps): ReactNode {
  const t = useMessages();
  if (id === null) return <Modal open={false} onClose={onClose} title={t.tasks.details} size="wide" />;
  return <OpenTask key={id} id={id} onClose={onClose} />;
}

function OpenTask({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactNode {
  const t = useMessages();
  const { data: task, error, refetch } = useTask(id);
  return (
    <Modal open onClose={onClose} title={task?.model ?? t.tasks.details} size="wide" returnFocus={rowInTable}>
      {task !== undefined ? (
        <TaskView task={task} />
      ) : (
        <div className="pb-4">
          {error === null ? <SkeletonRows rows={6} /> : <Failure error={error} onRetry={() => void refetch()} />}
        </div>
      )}
    </Modal>
  );
}

function TaskView({ task }: { readonly task: TaskDetail }): ReactNode {
  const t = useMessages();
  const { data: state } = useGatewayState();
  const keyName = useKeyNames()(task.key);
  const actions = useTaskActions(task.id);
  const curl = codeSample("curl", state?.url ?? location.origin, {
    path: "/v1/videos/generations",
    body: task.request,
  });
  return (
    <div className="flex flex-col gap-3 px-4 pt-2 pb-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <output>
          <TaskStatusBadge task={task} />
        </output>
        <TaskActionBar task={task} keyName={keyName} actions={actions} />
      </div>
      <div className="grid gap-x-6 gap-y-3 min-[900px]:grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-3">
          <TaskResult task={task} />
          <section
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- What scrolls must be scrolled by keys too.
            tabIndex={0}
            aria-label={t.tasks.prompt}
            className={`max-h-50 overflow-y-auto rounded-sm whitespace-pre-wrap wrap-anywhere ${task.full_prompt === "" ? "text-faint" : ""}`}
          >
            {getPrompt({ prompt: task.full_prompt }, t)}
          </section>
          <JsonSection
            title={t.tasks.request}
            value={task.request}
            note={hasOmitted(task.request) ? t.tasks.curlOmitted : undefined}
            actions={<CopyButton text={curl} label={t.tasks.curl} />}
          />
          {task.native === null || task.native === undefined ? (
            <p className="text-muted">{t.tasks.noNative}</p>
          ) : (
            <JsonSection title={t.tasks.native} value={task.native} />
          )}
        </div>
        <div className="flex min-w-0 flex-col gap-3">
          <TaskCostSection task={task} />
          <TaskTimeline timeline={task.timeline} />
          <WebhookDeliveries task={task} actions={actions} />
          <TaskFacts task={task} keyName={keyName} />
        </div>
      </div>
    </div>
  );
}

/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- What scrolls has to be reached by the keyboard. */

interface JsonSectionProps {
  readonly title: string;
  readonly value: unknown;
  readonly actions?: ReactNode;
  readonly note?: string | undefined;
}

/** A body as it was sent, to read and to copy. */
function JsonSection({ title, value, actions, note }: JsonSectionProps): ReactNode {
  const t = useMessages();
  const text = JSON.stringify(value, null, 2);
  return (
    <Section
      title={title}
      actions={
        <>
          {actions}
          <CopyIcon text={text} label={t.tasks.copyJson(title)} />
        </>
      }
    >
      <section
        aria-label={t.tasks.jsonOf(title)}
        tabIndex={0}
        className="max-h-60 overflow-auto rounded-md border border-line bg-canvas px-3 py-2"
      >
        <pre className="font-mono text-meta whitespace-pre-wrap wrap-anywhere text-muted">{text}</pre>
      </section>
      {note !== undefined && <p className="mt-1 text-meta text-faint">{note}</p>}
    </Section>
  );
}

/** Cost of the task, term by term, and its current hold. */
function TaskCostSection({ task }: { readonly task: TaskDetail }): ReactNode {
  const t = useMessages();
  return (
    <Section title={t.tasks.cost}>
      {task.held_nano > 0 && (
        <p className="flex min-h-8 items-center justify-between" title={t.tasks.heldHelp}>
          <span className="text-muted">{t.tasks.held}</span>
          <Cost nano={task.held_nano} sandbox={task.sandbox} />
        </p>
      )}
      {task.receipt === null ? (
        <p className="text-muted">
          {!task.priced && `${t.money.unpricedHelp} `}
          {task.finished_at === null ? t.tasks.costHelp.open : t.tasks.costHelp.none}
        </p>
      ) : (
        <ReceiptTable receipt={task.receipt} />
      )}
    </Section>
  );
}

function TaskTimeline({ timeline }: Pick<TaskDetail, "timeline">): ReactNode {
  const t = useMessages();
  return (
    <Section title={t.tasks.timeline}>
      <ol className="flex flex-col gap-1">
        {timeline.map(({ at, status, note }, index) => (
          <li key={`${at} ${index}`} className="grid grid-cols-[84px_minmax(0,1fr)] gap-x-3">
            <span className="text-muted">
              <Moment at={at} />
            </span>
            <span className="wrap-anywhere">
              {getName(t.tasks.phases, status)}
              {note !== null && <span className="block text-meta text-muted">{note}</span>}
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

import { Activity, CircleHelp, Images, RefreshCw, Repeat } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { TaskDetail } from "../../../gateway/contract/tasks.ts";
import { Button, buttonClass } from "../../components/ui/button.tsx";
import { CopyButton } from "../../components/ui/copy.tsx";
import { Confirm } from "../../components/ui/dialog.tsx";
import { formatMoney } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { routeHash } from "../../lib/router.ts";
import type { Messages } from "../../locales/messages.ts";
import { CancelTask } from "../../components/task/cancel-task.tsx";
import { ResolveDialog } from "./resolve-dialog.tsx";
import type { TaskActions } from "./use-task-actions.ts";

export interface TaskActionBarProps {
  readonly task: TaskDetail;
  readonly keyName: string;
  readonly actions: TaskActions;
}

/** Actions on a task. Actions that cannot be undone, or cost money, ask first. */
export function TaskActionBar({ task, keyName, actions }: TaskActionBarProps): ReactNode {
  const t = useMessages();
  const [asking, setAsking] = useState<"repeat" | "resolve" | null>(null);
  const close = (): void => setAsking(null);
  const confirmed = async (done: Promise<boolean>): Promise<void> => {
    if (await done) close();
  };
  return (
    <div className="flex flex-wrap gap-1.5">
      {task.can.resolve && (
        <Button look="primary" icon={<CircleHelp size={14} aria-hidden />} onClick={() => setAsking("resolve")}>
          {t.tasks.resolve}
        </Button>
      )}
      {task.finished_at === null && (
        <Button
          icon={<RefreshCw size={13} aria-hidden />}
          busy={actions.busy === "refresh"}
          onClick={() => void actions.refresh()}
        >
          {t.tasks.refresh}
        </Button>
      )}
      {task.can.cancel && <CancelTask task={task} />}
      {task.media !== null && (
        <a href={routeHash("library", { media: task.media })} className={`${buttonClass("plain")} no-underline`}>
          <Images size={14} aria-hidden />
          {t.tasks.inLibrary}
        </a>
      )}
      <a href={routeHash("requests", { id: task.request_id })} className={`${buttonClass("plain")} no-underline`}>
        <Activity size={14} aria-hidden />
        {t.tasks.showRequest}
      </a>
      <CopyButton text={JSON.stringify(task, null, 2)} label={t.tasks.copyTask} />
      <Button
        icon={<Repeat size={13} aria-hidden />}
        disabled={!task.can.repeat}
        title={task.can.repeat ? undefined : t.tasks.repeatImpossible}
        onClick={() => setAsking("repeat")}
      >
        {t.tasks.repeat}
      </Button>
      <Confirm
        open={asking === "repeat"}
        onClose={close}
        onConfirm={() => void confirmed(actions.repeat())}
        title={t.tasks.repeatTitle}
        description={`${t.tasks.repeatHelp(keyName)} ${moneyOfRepeating(task, t)}`}
        action={t.tasks.repeat}
        look="primary"
        busy={actions.busy === "repeat"}
      />
      <ResolveDialog open={asking === "resolve"} onClose={close} task={task} actions={actions} />
    </div>
  );
}

function moneyOfRepeating({ sandbox, priced, nano, held_nano }: TaskDetail, t: Messages): string {
  if (sandbox) return t.tasks.repeatSandbox;
  if (!priced) return t.tasks.repeatUnpriced;
  const cost = nano ?? held_nano;
  return cost > 0 ? t.tasks.repeatCost(formatMoney(cost)) : "";
}

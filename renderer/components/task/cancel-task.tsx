import { Square } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { TaskDetail } from "../../../gateway/contract/tasks.ts";
import { useGateway } from "../../api/gateway.tsx";
import { useTaskResponse } from "../../api/task-queries.ts";
import { formatMoney } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { Confirm } from "../ui/dialog.tsx";
import { useNotify } from "../ui/toasts.tsx";

export interface CancelTaskProps {
  readonly task: Pick<TaskDetail, "id" | "held_nano">;
  /** Icon only, for narrow places. */
  readonly small?: boolean;
}

/** Asks the provider to cancel a task, after a confirmation, because it cannot be undone. */
export function CancelTask({ task: { id, held_nano }, small = false }: CancelTaskProps): ReactNode {
  const t = useMessages();
  const notify = useNotify();
  const { client } = useGateway();
  const take = useTaskResponse();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const cancel = async (): Promise<void> => {
    setBusy(true);
    try {
      const task = await client.call("cancelTask", {}, id);
      take(task);
      setAsking(false);
      notify.confirm(task.status === "cancelled" ? t.tasks.cancelled : t.tasks.cancelAsked);
    } catch (error) {
      notify.showError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      {small ? (
        <IconButton label={t.tasks.cancel} onClick={() => setAsking(true)}>
          <Square size={12} aria-hidden />
        </IconButton>
      ) : (
        <Button icon={<Square size={12} aria-hidden />} onClick={() => setAsking(true)}>
          {t.tasks.cancel}
        </Button>
      )}
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => void cancel()}
        title={t.tasks.cancelTitle}
        description={held_nano > 0 ? t.tasks.cancelHelp(formatMoney(held_nano)) : t.tasks.cancelHelpFree}
        action={t.tasks.cancel}
        leave={t.tasks.keepRunning}
        busy={busy}
      />
    </>
  );
}

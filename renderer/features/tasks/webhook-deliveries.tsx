import { Send } from "lucide-react";
import type { ReactNode } from "react";
import type { Delivery, TaskDetail } from "../../../gateway/contract/tasks.ts";
import { Button } from "../../components/ui/button.tsx";
import { Moment, useAge } from "../../components/ui/figures.tsx";
import { Section } from "../../components/ui/section.tsx";
import { formatDuration } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { DeliveryState } from "../../components/task/task-cells.tsx";
import type { TaskActions } from "./use-task-actions.ts";

export interface WebhookDeliveriesProps {
  readonly task: TaskDetail;
  readonly actions: TaskActions;
}

/** The callbacks of a task and every attempt at them. */
export function WebhookDeliveries({ task, actions }: WebhookDeliveriesProps): ReactNode {
  const t = useMessages();
  if (task.webhook_url === null && task.deliveries.length === 0) return null;
  return (
    <Section
      title={t.tasks.deliveriesTitle}
      actions={
        task.can.resend && (
          <Button
            icon={<Send size={13} aria-hidden />}
            busy={actions.busy === "resend"}
            onClick={() => void actions.resend()}
          >
            {t.tasks.resend}
          </Button>
        )
      }
    >
      <code className="block font-mono text-meta wrap-anywhere text-muted">{task.webhook_url}</code>
      {task.deliveries.length === 0 ? (
        <p className="mt-1 text-muted">{t.tasks.noDeliveries}</p>
      ) : (
        task.deliveries.map((delivery) => <DeliveryView key={delivery.id} delivery={delivery} />)
      )}
    </Section>
  );
}

function DeliveryView({ delivery }: { readonly delivery: Delivery }): ReactNode {
  const t = useMessages();
  const ageIn = useAge();
  return (
    <div className="mt-1.5">
      <p className="flex flex-wrap gap-x-2">
        <DeliveryState state={delivery.state} />
        <code className="font-mono text-meta leading-5 text-muted">{delivery.type}</code>
        {delivery.next_at !== null && (
          <span className="text-muted">{t.tasks.nextAttempt(ageIn(delivery.next_at))}</span>
        )}
      </p>
      <ol className="mt-0.5">
        {delivery.attempts.map((attempt, index) => (
          <li key={`${attempt.at} ${index}`} className="grid grid-cols-[84px_minmax(0,1fr)] gap-x-3">
            <span className="text-muted">
              <Moment at={attempt.at} />
            </span>
            <span className="numeric wrap-anywhere">
              <span className={attempt.error === null ? "text-success-text" : "text-danger-text"}>
                {attempt.status ?? t.tasks.noResponse}
              </span>
              <span className="text-muted"> · {formatDuration(attempt.ms)}</span>
              {attempt.manual && <span className="text-muted"> · {t.tasks.manual}</span>}
              {attempt.error !== null && <span className="block text-meta text-muted">{attempt.error}</span>}
            </span>
          </li>
        ))}
      </ol>
      {delivery.attempts.length === 0 && <p className="text-muted">{t.tasks.noAttempt}</p>}
    </div>
  );
}

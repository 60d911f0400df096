import type { Delivery, WebhooksView } from "../../contract/tasks.ts";
import type { TaskDelivery } from "../../core/tasks/task.ts";
import { showUrl } from "../../core/webhooks/webhook-url.ts";
import type { Receivers } from "./receivers.ts";
import type { WebhookTasks } from "./delivery-attempts.ts";
import type { WebhookSecrets } from "./webhook-secrets.ts";

const MOST_RECENT = 100;

/** Returns the pages' view of webhooks. @throws GatewayError storage_unavailable while the secret cannot be opened */
export async function webhooksView(
  repository: Pick<WebhookTasks, "live">,
  secrets: WebhookSecrets,
  receivers: Receivers,
): Promise<WebhooksView> {
  const deliveries = [...repository.live()].flatMap((task) => task.deliveries.map((delivery) => ({ task, delivery })));
  const recent = deliveries.toSorted((a, b) => b.delivery.at - a.delivery.at).slice(0, MOST_RECENT);
  return {
    secret: await secrets.current(),
    from_environment: secrets.fromEnvironment,
    previous_until: secrets.previousUntil,
    pending: deliveries.filter(({ delivery }) => delivery.state === "pending").length,
    disabled: receivers.listDisabled().map(({ id, disabled_at }) => ({ url: showUrl(id), at: disabled_at })),
    recent: recent.map(({ task, delivery }) => ({ ...deliveryView(delivery), task: task.id, model: task.model })),
  };
}

/** A webhook as the control API shows it. */
export function deliveryView({ id, type, at, url, state, next_at, attempts }: TaskDelivery): Delivery {
  return { id, type, at, url: showUrl(url), state, next_at, attempts: attempts.map((attempt) => ({ ...attempt })) };
}

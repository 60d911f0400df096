import type { VideoTask } from "../../contract/videos.ts";
import { GatewayError } from "../../core/errors.ts";
import type { TaskDelivery, TaskRecord } from "../../core/tasks/task.ts";
import { getVerdict, afterAttempt, disableDelivery, withDelivery } from "../../core/webhooks/webhook-attempt.ts";
import type { MadeAttempt } from "../../core/webhooks/webhook-attempt.ts";
import { readRetryAfter } from "../../core/webhooks/webhook-schedule.ts";
import type { Clock } from "../../lib/clock.ts";
import { UpstreamFailure } from "../../upstream/failure.ts";
import type { WebhookResponse, WebhookSender } from "../../upstream/webhook-sender.ts";
import { WebhookRefused } from "../../upstream/webhook-target.ts";
import { webhookHeaders } from "./webhook-secrets.ts";
import type { WebhookSecrets } from "./webhook-secrets.ts";
import type { WebhookUrls } from "./webhook-urls.ts";
import type { TaskRepository } from "../../store/tasks/task-repository.ts";
import { pause } from "../../lib/abortable.ts";
import type { Later } from "../../lib/later.ts";
import type { Log } from "../../lib/log.ts";
import { getMessage } from "../../lib/message-of.ts";
import type { DeliveryAddress } from "./due-deliveries.ts";
import type { Receivers } from "./receivers.ts";
import { getReceiver } from "./receivers.ts";

/** The part of the repository that deliveries need: every task with a pending webhook is among the `live` ones. */
export type WebhookTasks = Pick<TaskRepository, "live" | "onChange" | "change" | "find">;

export interface DeliveryAttemptsDeps {
  readonly repository: WebhookTasks;
  readonly clock: Clock;
  readonly sender: Pick<WebhookSender, "post">;
  readonly secrets: Pick<WebhookSecrets, "signing">;
  /** The task as its client reads it, made again for each attempt: its links are fresh. */
  readonly views: { task(task: TaskRecord): Promise<VideoTask> };
  readonly urls: Pick<WebhookUrls, "decrypt">;
  readonly later: Later;
  /** In [0, 1). */
  readonly random: () => number;
  readonly log: Log;
}

/** Milliseconds until a refused write of an attempt's outcome is retried; the attempt is not repeated meanwhile. */
const WRITE_AGAIN_MS = 10_000;

/** Makes an attempt, and records its outcome in the task's record. */
export class DeliveryAttempts {
  readonly #deps: DeliveryAttemptsDeps;
  readonly #receivers: Receivers;
  readonly #stopping: AbortSignal;

  constructor(deps: DeliveryAttemptsDeps, receivers: Receivers, stopping: AbortSignal) {
    this.#deps = deps;
    this.#receivers = receivers;
    this.#stopping = stopping;
  }

  /**
   * Schedules an attempt of a delivery. It does nothing if the delivery is no longer pending, and ends it if the
   * receiver is disabled. Waits while the disk refuses writes.
   */
  async schedule(delivery: DeliveryAddress): Promise<void> {
    const found = await this.#find(delivery);
    if (found?.delivery.state !== "pending") return;
    if (this.#receivers.isDisabled(delivery.url)) return this.#disable(delivery);
    const made = await sendWebhook(this.#deps, found.task, found.delivery, false, this.#stopping);
    if (made === null) return;
    await this.#learn(delivery, made);
    const write = this.#recording(delivery, made);
    while (!this.#stopping.aborted) {
      try {
        await write();
        return;
      } catch (error) {
        this.#deps.log.error("webhook.not_recorded", { task: delivery.task, message: getMessage(error) });
        await pause(this.#deps.later, WRITE_AGAIN_MS, this.#stopping);
      }
    }
  }

  /**
   * Makes an attempt on request, in any state of the webhook.
   * @returns null when Postern stopped meanwhile. @throws when the disk refuses the result
   */
  async manual(delivery: DeliveryAddress): Promise<TaskRecord | null> {
    const found = await this.#find(delivery);
    if (found === null) return null;
    const made = await sendWebhook(this.#deps, found.task, found.delivery, true, this.#stopping);
    if (made === null) return null;
    await this.#learn(delivery, made);
    return this.#recording(delivery, made)();
  }

  /** Ends the delivery of a disabled receiver: no attempt is made. */
  async #disable({ task, id }: DeliveryAddress): Promise<void> {
    await this.#deps.repository.change(task, (record) => withDelivery(record, id, disableDelivery));
  }

  async #find({ task: taskId, id }: DeliveryAddress): Promise<{ task: TaskRecord; delivery: TaskDelivery } | null> {
    const task = await this.#deps.repository.find(taskId, null);
    const delivery = task?.deliveries.find((one) => one.id === id);
    return task === null || delivery === undefined ? null : { task, delivery };
  }

  async #learn({ task, url }: DeliveryAddress, { attempt, verdict }: MadeAttempt): Promise<void> {
    const { log } = this.#deps;
    const { status, ms, error, manual } = attempt;
    // URLs may contain secrets of their receivers, so only the origin is logged.
    log.info("webhook.attempt", { task, receiver: getReceiver(url), status, ms, error, manual });
    if (verdict !== "gone") return;
    try {
      await this.#receivers.disable(url);
    } catch (failure) {
      log.error("webhook.not_recorded", { task, message: getMessage(failure) });
    }
  }

  #recording({ task, id, url }: DeliveryAddress, made: MadeAttempt): () => Promise<TaskRecord | null> {
    const { repository, clock, random } = this.#deps;
    const now = clock.now();
    const chance = random();
    return async () => {
      const written = await repository.change(task, (record) =>
        withDelivery(record, id, (delivery) => afterAttempt(delivery, made, now, chance)),
      );
      const delivery = written?.task.deliveries.find((one) => one.id === id);
      if (delivery?.state === "failed" && !made.attempt.manual) this.#receivers.tellFailed(url, task);
      return written?.task ?? null;
    };
  }
}

/**
 * Makes one attempt with the task's current state and a fresh signature.
 * @param signal aborted when Postern stops. @returns null then: the outcome is unknown, so the attempt is repeated
 */
async function sendWebhook(
  { clock, sender, secrets, urls, views }: DeliveryAttemptsDeps,
  task: TaskRecord,
  delivery: TaskDelivery,
  manual: boolean,
  signal: AbortSignal,
): Promise<MadeAttempt | null> {
  const at = clock.now();
  const startedAt = clock.monotonic();
  const spent = (): number => Math.round(clock.monotonic() - startedAt);
  try {
    const data = await views.task(task);
    const event = { type: delivery.type, timestamp: new Date(delivery.at).toISOString(), data };
    const payload = JSON.stringify(event);
    const message = { id: delivery.id, timestamp: Math.floor(at / 1_000), payload };
    const headers = webhookHeaders(message, await secrets.signing());
    const response = await sender.post(await urls.decrypt(delivery.url), headers, payload, signal);
    const verdict = getVerdict(response.status);
    const error = verdict === "delivered" ? null : getRefusal(response);
    return {
      attempt: { at, status: response.status, ms: spent(), error, manual },
      verdict,
      retryAfter: readRetryAfter(response.retryAfter, clock.now()),
    };
  } catch (error) {
    if (signal.aborted) return null;
    const attempt = { at, status: null, ms: spent(), error: getFailure(error), manual };
    return { attempt, verdict: "failed", retryAfter: null };
  }
}

function getRefusal({ status }: WebhookResponse): string {
  if (status === 410) return "The receiver responded with 410: it wants no more webhooks.";
  if (status >= 300 && status < 400) return `The receiver responded with ${status}. Redirects are not followed.`;
  return `The receiver responded with ${status}.`;
}

const FAILURES: Readonly<Partial<Record<UpstreamFailure["kind"], string>>> = {
  refused: "The receiver could not be connected to",
  head_timeout: "The receiver did not respond within 15 seconds",
  malformed: "The receiver's response is not HTTP",
};

function getFailure(error: unknown): string {
  if (error instanceof WebhookRefused) return `Not sent: the address ${error.message}.`;
  if (error instanceof GatewayError) return `Not sent: ${error.message}`;
  if (!(error instanceof UpstreamFailure)) return "Not sent: the webhook could not be sent.";
  // Only the code is kept, because the rest of such messages contains addresses.
  const code = /\b(?:E[A-Z_]{3,39}|[A-Z]{2,20}_[A-Z_]{2,39})\b/.exec(error.message)?.[0];
  const words = FAILURES[error.kind] ?? "The connection to the receiver broke off";
  return code === undefined ? `${words}.` : `${words} (${code}).`;
}

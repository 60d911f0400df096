import type { VideoTask } from "../../contract/videos.ts";
import { GatewayError } from "../../core/errors.ts";
import type { TaskDelivery, TaskRecord } from "../../core/tasks/task.ts";
import { verdictOf } from "../../core/webhooks/webhook-attempt.ts";
import type { MadeAttempt } from "../../core/webhooks/webhook-attempt.ts";
import { readRetryAfter } from "../../core/webhooks/webhook-schedule.ts";
import type { Clock } from "../../lib/clock.ts";
import { UpstreamFailure } from "../../upstream/failure.ts";
import type { WebhookResponse, WebhookSender } from "../../upstream/webhook-sender.ts";
import { WebhookRefused } from "../../upstream/webhook-target.ts";
import { webhookHeaders } from "./sign.ts";
import type { WebhookSecret } from "./webhook-secret.ts";

export interface SendWebhookDeps {
  readonly clock: Clock;
  readonly sender: Pick<WebhookSender, "post">;
  readonly secrets: Pick<WebhookSecret, "signing">;
  /** The task as its client reads it, made anew for each attempt: its links are fresh. */
  readonly views: { task(task: TaskRecord): Promise<VideoTask> };
}

/**
 * Makes one attempt: the task as it is now, signed for this moment.
 * @param signal Postern is stopping; @returns null then: nobody knows what came of it, so it is made again
 */
export async function sendWebhook(
  { clock, sender, secrets, views }: SendWebhookDeps,
  task: TaskRecord,
  delivery: TaskDelivery,
  manual: boolean,
  signal: AbortSignal,
): Promise<MadeAttempt | null> {
  const at = clock.now();
  const begun = clock.monotonic();
  const spent = (): number => Math.round(clock.monotonic() - begun);
  try {
    const data = await views.task(task);
    const event = { type: delivery.type, timestamp: new Date(delivery.at).toISOString(), data };
    const payload = JSON.stringify(event);
    const message = { id: delivery.id, timestamp: Math.floor(at / 1_000), payload };
    const headers = webhookHeaders(message, await secrets.signing());
    const response = await sender.post(delivery.url, headers, payload, signal);
    const verdict = verdictOf(response.status);
    const error = verdict === "delivered" ? null : refusalOf(response);
    return {
      attempt: { at, status: response.status, ms: spent(), error, manual },
      verdict,
      retryAfter: readRetryAfter(response.retryAfter, clock.now()),
    };
  } catch (error) {
    if (signal.aborted) return null;
    const attempt = { at, status: null, ms: spent(), error: failureOf(error), manual };
    return { attempt, verdict: "failed", retryAfter: null };
  }
}

function refusalOf({ status }: WebhookResponse): string {
  if (status === 410) return "The receiver responded with 410: it wants no more webhooks.";
  if (status >= 300 && status < 400) return `The receiver responded with ${status}. Redirects are not followed.`;
  return `The receiver responded with ${status}.`;
}

const FAILURES: Readonly<Partial<Record<UpstreamFailure["kind"], string>>> = {
  refused: "The receiver could not be connected to",
  head_timeout: "The receiver did not respond within 15 seconds",
  malformed: "The receiver's response is not HTTP",
};

function failureOf(error: unknown): string {
  if (error instanceof WebhookRefused) return `Not sent: the address ${error.message}.`;
  if (error instanceof GatewayError) return `Not sent: ${error.message}`;
  if (!(error instanceof UpstreamFailure)) return "Not sent: the webhook could not be sent.";
  // The code alone: the rest of such messages names addresses.
  const code = /^[A-Z_]{4,40}(?=:)/.exec(error.message)?.[0];
  const words = FAILURES[error.kind] ?? "The connection to the receiver broke off";
  return code === undefined ? `${words}.` : `${words} (${code}).`;
}

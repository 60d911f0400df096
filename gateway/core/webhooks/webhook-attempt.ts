import type { DeliveryAttempt, TaskDelivery, TaskRecord } from "../tasks/task.ts";
import { findNextAttempt } from "./webhook-schedule.ts";

const MOST_BY_HAND = 40;

/** `gone`: the receiver responded 410 and wants no more. */
export type AttemptVerdict = "delivered" | "failed" | "gone";

/** An attempt that was made. */
export interface MadeAttempt {
  readonly attempt: DeliveryAttempt;
  readonly verdict: AttemptVerdict;
  /** Milliseconds that the receiver asked for; null without such a header. */
  readonly retryAfter: number | null;
}

/** Returns the verdict on a status: only 2xx is a delivery, and a redirect is not followed (Standard Webhooks 1.0). */
export function getVerdict(status: number): AttemptVerdict {
  if (status >= 200 && status < 300) return "delivered";
  return status === 410 ? "gone" : "failed";
}

/**
 * Updates a webhook after an attempt. A manual attempt does not count for the schedule: delivered stays delivered,
 * pending ones continue as scheduled, and failed ones are not resumed.
 * @param now Unix milliseconds, base of the next attempt's time
 * @param random a number in [0, 1), for jitter
 */
export function afterAttempt(delivery: TaskDelivery, made: MadeAttempt, now: number, random: number): TaskDelivery {
  const next: TaskDelivery = { ...delivery, attempts: withAttempt(delivery.attempts, made.attempt) };
  if (made.verdict === "delivered" || delivery.state === "delivered") {
    return { ...next, state: "delivered", next_at: null };
  }
  if (made.verdict === "gone") return { ...next, state: "disabled", next_at: null };
  // The receiver was enabled for a manual attempt: it failed like any other.
  if (delivery.state !== "pending") return { ...next, state: "failed", next_at: null };
  if (made.attempt.manual) return next;
  const pause = findNextAttempt(scheduledAttempts(next), random, made.retryAfter);
  return pause === null ? { ...next, state: "failed", next_at: null } : { ...next, next_at: now + pause };
}

/** Number of scheduled attempts made, manual ones excluded. */
export function scheduledAttempts({ attempts }: TaskDelivery): number {
  return attempts.reduce((count, { manual }) => (manual ? count : count + 1), 0);
}

/** Keeps all scheduled attempts and the newest manual one, because manual attempts are unlimited. */
function withAttempt(attempts: readonly DeliveryAttempt[], made: DeliveryAttempt): readonly DeliveryAttempt[] {
  const all = [...attempts, made];
  if (all.filter(({ manual }) => manual).length <= MOST_BY_HAND) return all;
  return all.toSpliced(
    all.findIndex(({ manual }) => manual),
    1,
  );
}

/** Ends a webhook whose receiver is disabled: no attempt is made. */
export function disableDelivery(delivery: TaskDelivery): TaskDelivery {
  return delivery.state === "pending" ? { ...delivery, state: "disabled", next_at: null } : delivery;
}

/** Returns a task with one of its webhooks changed; null if nothing changes. */
export function withDelivery(
  task: TaskRecord,
  id: string,
  change: (delivery: TaskDelivery) => TaskDelivery,
): TaskRecord | null {
  const before = task.deliveries.find((delivery) => delivery.id === id);
  if (before === undefined) return null;
  const after = change(before);
  if (after === before) return null;
  return { ...task, deliveries: task.deliveries.map((delivery) => (delivery === before ? after : delivery)) };
}

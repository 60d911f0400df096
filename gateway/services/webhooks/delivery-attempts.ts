import type { TaskDelivery, TaskRecord } from "../../core/tasks/task.ts";
import { afterAttempt, disabled, withDelivery } from "../../core/webhooks/webhook-attempt.ts";
import type { MadeAttempt } from "../../core/webhooks/webhook-attempt.ts";
import { pause } from "../../lib/abortable.ts";
import type { Later } from "../../lib/later.ts";
import type { Log } from "../../lib/log.ts";
import { messageOf } from "../../lib/message-of.ts";
import type { DueDelivery } from "./due-deliveries.ts";
import type { Receivers } from "./receivers.ts";
import { sendWebhook } from "./send-webhook.ts";
import type { SendWebhookDeps } from "./send-webhook.ts";
import type { WebhookTasks } from "./webhook-tasks.ts";
import { receiverOf } from "./webhook-target.ts";

export interface AttemptsDeps extends SendWebhookDeps {
  readonly repository: WebhookTasks;
  readonly later: Later;
  /** In [0, 1). */
  readonly random: () => number;
  readonly log: Log;
}

/** While the disk refuses what came of an attempt: it is kept, and not made again meanwhile. */
const WRITE_AGAIN_MS = 10_000;

/** Makes an attempt, and writes into the task's record what came of it. */
export class Attempts {
  readonly #deps: AttemptsDeps;
  readonly #receivers: Receivers;
  readonly #stopping: AbortSignal;

  constructor(deps: AttemptsDeps, receivers: Receivers, stopping: AbortSignal) {
    this.#deps = deps;
    this.#receivers = receivers;
    this.#stopping = stopping;
  }

  /**
   * One by schedule. Does nothing when it is not pending any more, and ends it when its receiver is disabled.
   * Waits for a disk that refuses.
   */
  async scheduled(callback: DueDelivery): Promise<void> {
    const found = await this.#find(callback);
    if (found?.delivery.state !== "pending") return;
    if (this.#receivers.isDisabled(callback.url)) return this.disable(callback);
    const made = await sendWebhook(this.#deps, found.task, found.delivery, false, this.#stopping);
    if (made === null) return;
    await this.#learn(callback, made);
    const write = this.#entering(callback, made);
    while (!this.#stopping.aborted) {
      try {
        await write();
        return;
      } catch (error) {
        this.#deps.log.error("webhook.not_recorded", { task: callback.task, message: messageOf(error) });
        await pause(this.#deps.later, WRITE_AGAIN_MS, this.#stopping);
      }
    }
  }

  /**
   * One by hand, whatever became of the webhook.
   * @returns null when Postern stopped meanwhile. @throws when the disk refuses what came of it
   */
  async manual(callback: DueDelivery): Promise<TaskRecord | null> {
    const found = await this.#find(callback);
    if (found === null) return null;
    const made = await sendWebhook(this.#deps, found.task, found.delivery, true, this.#stopping);
    if (made === null) return null;
    await this.#learn(callback, made);
    return this.#entering(callback, made)();
  }

  /** Its receiver wants nothing: no attempt is made. */
  async disable({ task, id }: DueDelivery): Promise<void> {
    await this.#deps.repository.change(task, (record) => withDelivery(record, id, disabled));
  }

  async #find({ task: taskId, id }: DueDelivery): Promise<{ task: TaskRecord; delivery: TaskDelivery } | null> {
    const task = await this.#deps.repository.find(taskId, null);
    const delivery = task?.deliveries.find((one) => one.id === id);
    return task === null || delivery === undefined ? null : { task, delivery };
  }

  async #learn({ task, url }: DueDelivery, { attempt, verdict }: MadeAttempt): Promise<void> {
    const { log } = this.#deps;
    const { status, ms, error, manual } = attempt;
    // Addresses may hold secrets of their receivers: where it went is said, not by which words.
    log.info("webhook.attempt", { task, receiver: receiverOf(url), status, ms, error, manual });
    if (verdict !== "gone") return;
    try {
      await this.#receivers.disable(url);
    } catch (failure) {
      log.error("webhook.not_recorded", { task, message: messageOf(failure) });
    }
  }

  #entering({ task, id, url }: DueDelivery, made: MadeAttempt): () => Promise<TaskRecord | null> {
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

import type { WebhooksView } from "../../contract/tasks.ts";
import { GatewayError } from "../../core/errors.ts";
import type { TaskRecord } from "../../core/tasks/task.ts";
import { scheduledAttempts } from "../../core/webhooks/webhook-attempt.ts";
import { Limiter } from "../../lib/limiter.ts";
import { within } from "../../lib/within.ts";
import type { Events } from "../events.ts";
import { DeliveryAttempts } from "./delivery-attempts.ts";
import type { DeliveryAttemptsDeps } from "./delivery-attempts.ts";
import { DueDeliveries } from "./due-deliveries.ts";
import type { DeliveryAddress, DueDelivery } from "./due-deliveries.ts";
import { Receivers, getReceiver } from "./receivers.ts";
import type { ReceiversDeps } from "./receivers.ts";
import type { WebhookSecrets } from "./webhook-secrets.ts";
import { webhooksView } from "./webhooks-view.ts";

export interface DeliverWebhooksDeps extends DeliveryAttemptsDeps, ReceiversDeps {
  readonly secrets: WebhookSecrets;
  readonly events: Pick<Events, "emit">;
  /** Aborted when Postern stops. */
  readonly stopping: AbortSignal;
}

/** Max concurrent attempts, in all and at one receiver: a receiver that hangs delays no other. */
const AT_ONCE = 64;
const AT_A_RECEIVER = 2;
/** Min milliseconds between updates of the pages. */
const TELL_EVERY_MS = 500;
/** Milliseconds until the retry after an internal failure. */
const TROUBLE_PAUSE_MS = 60_000;
/** Milliseconds that a stop of Postern waits for running attempts. */
const LAST_RESPONSES_MS = 2_000;

/**
 * Delivers the webhooks of tasks. Deliveries are part of the task's record, written with the transition that ends it;
 * each attempt is recorded after it was made, so a lost one is repeated with the same `webhook-id`.
 *
 * The cycle is: a changed record is scheduled (`#plan`), a due delivery is attempted, and its outcome changes the
 * record.
 */
export class DeliverWebhooks {
  readonly #deps: DeliverWebhooksDeps;
  readonly #receivers: Receivers;
  readonly #attempts: DeliveryAttempts;
  readonly #due: DueDeliveries;
  readonly #queues = new Limiter({ each: AT_A_RECEIVER, all: AT_ONCE });
  /** Webhooks that wait for their turn or are being made, and how many attempts by schedule their records had then. */
  readonly #busy = new Map<string, number>();
  /** Aborted when the grace period of running attempts is over. */
  readonly #cut = new AbortController();
  #unsubscribe: () => void = () => {};
  #telling = false;

  constructor(deps: DeliverWebhooksDeps) {
    this.#deps = deps;
    this.#receivers = new Receivers(deps, (url) => this.#getPlan(url));
    this.#attempts = new DeliveryAttempts(deps, this.#receivers, this.#cut.signal);
    this.#due = new DueDeliveries({ ...deps, onDue: (due) => this.#enqueue(due) });
  }

  /** Takes up every webhook that an earlier run left, spread over some seconds, and from now on the new ones. */
  start(): void {
    this.#unsubscribe = this.#deps.repository.onChange((task) => {
      if (task.deliveries.length === 0) return;
      this.#plan(task);
      this.#tell();
    });
    for (const task of this.#deps.repository.live()) this.#plan(task);
    this.#due.pace();
  }

  /** After the machine slept. */
  check(): void {
    this.#due.check();
  }

  /** Starts no more attempts and gives running ones two seconds; aborted ones are repeated. */
  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#due.stop();
    this.#queues.clear();
    await within(this.idle(), LAST_RESPONSES_MS);
    this.#cut.abort();
    await this.idle();
  }

  /** Resolves when no attempt is running and all are recorded. */
  idle(): Promise<void> {
    return this.#queues.idle();
  }

  /**
   * Resends the newest webhook of a task immediately, whatever its outcome; enables its receiver if disabled. Resolves
   * with the task once the attempt is recorded.
   * @throws GatewayError not_found, conflict if the task has no webhook, shutting_down
   */
  async resend(taskId: string): Promise<TaskRecord> {
    const task = await this.#deps.repository.find(taskId, null);
    if (task === null) throw new GatewayError("not_found", `There is no task ${taskId.slice(0, 100)}.`);
    const delivery = task.deliveries.at(-1);
    if (delivery === undefined) {
      const why = task.webhook_url === null ? "it was submitted without a webhook_url" : "it has not ended yet";
      throw new GatewayError("conflict", `There is no webhook of this task to send: ${why}.`);
    }
    await this.enable(delivery.url);
    const sent = await this.#byHand({ task: task.id, id: delivery.id, url: delivery.url });
    if (sent === null) throw new GatewayError("shutting_down", "Postern is stopping. Resend the webhook later.");
    return sent;
  }

  /** Enables a receiver that responded 410. Deliveries skipped meanwhile must be resent manually. */
  async enable(url: string): Promise<void> {
    if (await this.#receivers.enable(url)) this.#tell();
  }

  /** @throws GatewayError storage_unavailable while the secret cannot be opened */
  view(): Promise<WebhooksView> {
    return webhooksView(this.#deps.repository, this.#deps.secrets, this.#receivers);
  }

  /** Plans the deliveries of a record. A delivery with more attempts than at its start is not running any longer. */
  #plan(task: TaskRecord): void {
    for (const delivery of task.deliveries) {
      const { id, url, state, at, next_at } = delivery;
      const made = scheduledAttempts(delivery);
      if (state !== "pending" || this.#busy.get(id) === made) continue;
      // Deliveries to a disabled receiver end now: the attempt that is due is not made.
      const due = this.#receivers.isDisabled(url) ? this.#deps.clock.now() : (next_at ?? at);
      this.#due.set({ task: task.id, id, url, made }, due);
    }
  }

  /** A receiver was disabled: what waits for it ends. */
  #getPlan(url: string): void {
    for (const task of this.#deps.repository.live()) if (hasPending(task, url)) this.#plan(task);
  }

  #enqueue(due: DueDelivery): void {
    const { id, made } = due;
    this.#busy.set(id, made);
    void this.#queues.run(getReceiver(due.url), async () => {
      const failure = await this.#attempts.schedule(due).then(
        () => null,
        (error: unknown) => String(error),
      );
      if (this.#busy.get(id) === made) this.#busy.delete(id);
      if (failure === null) return;
      this.#deps.log.error("webhook.trouble", { task: due.task, message: failure });
      this.#due.set(due, this.#deps.clock.now() + TROUBLE_PAUSE_MS);
    });
  }

  #byHand(delivery: DeliveryAddress): Promise<TaskRecord | null> {
    const { signal } = this.#cut;
    const { promise, resolve, reject } = Promise.withResolvers<TaskRecord | null>();
    const give = (): void => resolve(null);
    signal.addEventListener("abort", give, { once: true });
    const work = (): Promise<void> =>
      this.#attempts
        .manual(delivery)
        .then(resolve, reject)
        .finally(() => signal.removeEventListener("abort", give));
    void this.#queues.run(getReceiver(delivery.url), work, true);
    return promise;
  }

  #tell(): void {
    if (this.#telling) return;
    this.#telling = true;
    this.#deps.later(TELL_EVERY_MS, () => {
      this.#telling = false;
      if (this.#cut.signal.aborted) return;
      this.#deps.events.emit({ type: "webhooks.changed" });
    });
  }
}

const hasPending = (task: TaskRecord, url: string): boolean =>
  task.deliveries.some((delivery) => delivery.state === "pending" && delivery.url === url);

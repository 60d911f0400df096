import type { WebhooksView } from "../../contract/tasks.ts";
import { GatewayError } from "../../core/errors.ts";
import type { TaskRecord } from "../../core/tasks/task.ts";
import { Background } from "../../lib/background.ts";
import { messageOf } from "../../lib/message-of.ts";
import { within } from "../../lib/within.ts";
import type { Events } from "../events.ts";
import { Attempts } from "./delivery-attempts.ts";
import type { AttemptsDeps } from "./delivery-attempts.ts";
import { DueDeliveries } from "./due-deliveries.ts";
import type { DueDelivery } from "./due-deliveries.ts";
import { ReceiverQueues } from "./receiver-queues.ts";
import { Receivers } from "./receivers.ts";
import type { ReceiversDeps } from "./receivers.ts";
import type { WebhookSecret } from "./webhook-secret.ts";
import { receiverOf } from "./webhook-target.ts";
import { webhooksView } from "./webhooks-view.ts";

export interface DeliverWebhooksDeps extends AttemptsDeps, ReceiversDeps {
  readonly secrets: WebhookSecret;
  readonly events: Pick<Events, "emit">;
  /** Aborted when Postern stops. */
  readonly stopping: AbortSignal;
}

/** The pages are told at most so often. */
const TELL_EVERY_MS = 500;
/** What broke for a reason of ours is taken up again after this. */
const TROUBLE_PAUSE_MS = 60_000;
/** Attempts under way are waited for so long when Postern stops. */
const LAST_RESPONSES_MS = 2_000;

/**
 * Makes the webhooks that tasks ask for. They stand in the tasks' own records, written with the change that ends a
 * task; each attempt is written there after it was made, so that whatever is lost in between is made again, with the
 * same `webhook-id`.
 */
export class DeliverWebhooks {
  readonly #deps: DeliverWebhooksDeps;
  readonly #receivers: Receivers;
  readonly #attempts: Attempts;
  readonly #due: DueDeliveries;
  readonly #queues = new ReceiverQueues();
  /** Ids of webhooks that wait for a lane or are being made. */
  readonly #busy = new Set<string>();
  readonly #background: Background;
  /** Aborted when what is under way may take no longer. */
  readonly #cut = new AbortController();
  #unsubscribe: () => void = () => {};
  #telling = false;

  constructor(deps: DeliverWebhooksDeps) {
    this.#deps = deps;
    this.#receivers = new Receivers(deps);
    this.#background = new Background(deps.stopping, (what, error) =>
      deps.log.error(what, { message: messageOf(error) }),
    );
    this.#attempts = new Attempts(deps, this.#receivers, this.#cut.signal);
    this.#due = new DueDeliveries({ ...deps, onDue: (callback) => this.#enqueue(callback) });
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

  /** Begins no attempt any more and lets those under way end for two seconds; what is cut off is made again. */
  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#due.stop();
    this.#queues.clear();
    const dropped = this.#background.idle();
    await within(this.idle(), LAST_RESPONSES_MS);
    this.#cut.abort();
    await Promise.all([this.idle(), dropped]);
  }

  /** Resolves when no attempt is under way and all are written. */
  idle(): Promise<void> {
    return this.#queues.idle();
  }

  /**
   * Makes the newest webhook of a task once more, now, whatever became of it; a disabled receiver is enabled by it.
   * Resolves with the task when the attempt was made and written.
   * @throws GatewayError not_found, conflict when the task has no webhook, shutting_down
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

  /** Sends to a receiver again that answered 410. What was disabled meanwhile is sent by hand. */
  async enable(url: string): Promise<void> {
    if (await this.#receivers.enable(url)) this.#tell();
  }

  /** @throws GatewayError storage_unavailable while the secret cannot be opened */
  view(): Promise<WebhooksView> {
    return webhooksView(this.#deps.repository, this.#deps.secrets, this.#receivers);
  }

  #plan(task: TaskRecord): void {
    for (const { id, url, state, at, next_at } of task.deliveries) {
      const callback = { task: task.id, id, url };
      if (state !== "pending" || this.#busy.has(id)) continue;
      if (this.#receivers.isDisabled(url)) this.#background.run("webhook.not_dropped", () => this.#drop(callback));
      else this.#due.set(callback, next_at ?? at);
    }
  }

  /** Its receiver is disabled. */
  async #drop(callback: DueDelivery): Promise<void> {
    this.#busy.add(callback.id);
    const done = await this.#attempts.disable(callback).then(
      () => true,
      () => false,
    );
    this.#busy.delete(callback.id);
    // The disk refused it.
    if (!done) this.#due.set(callback, this.#deps.clock.now() + TROUBLE_PAUSE_MS);
  }

  #enqueue(callback: DueDelivery): void {
    this.#busy.add(callback.id);
    this.#queues.run(receiverOf(callback.url), async () => {
      try {
        await this.#attempts.scheduled(callback);
        this.#busy.delete(callback.id);
        await this.#goOn(callback);
      } catch (error) {
        this.#busy.delete(callback.id);
        this.#deps.log.error("webhook.trouble", { task: callback.task, message: String(error) });
        this.#due.set(callback, this.#deps.clock.now() + TROUBLE_PAUSE_MS);
      }
    });
  }

  /** Plans what the record says now, and where its receiver has been disabled, what else waits for it. */
  async #goOn({ task, url }: DueDelivery): Promise<void> {
    const record = await this.#deps.repository.find(task, null);
    if (record !== null) this.#plan(record);
    if (!this.#receivers.isDisabled(url)) return;
    for (const other of this.#deps.repository.live()) if (hasPending(other, url)) this.#plan(other);
  }

  #byHand(callback: DueDelivery): Promise<TaskRecord | null> {
    const { signal } = this.#cut;
    return new Promise((resolve, reject) => {
      const give = (): void => resolve(null);
      signal.addEventListener("abort", give, { once: true });
      const work = async (): Promise<void> => {
        try {
          const task = await this.#attempts.manual(callback);
          await this.#goOn(callback);
          resolve(task);
        } catch (error) {
          reject(error);
        } finally {
          signal.removeEventListener("abort", give);
        }
      };
      this.#queues.run(receiverOf(callback.url), work, true);
    });
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

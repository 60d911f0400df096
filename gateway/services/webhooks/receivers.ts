import { BoundedMap } from "../../lib/bounded-map.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Change, StoredReceiver } from "../../store/document.ts";
import type { Store } from "../../store/store.ts";
import type { Notices } from "../notices.ts";
import { GatewayError } from "../../core/errors.ts";
import { showUrl } from "../../core/webhooks/webhook-url.ts";
import type { Reach } from "../../upstream/reach.ts";
import { WebhookRefused, webhookTarget } from "../../upstream/webhook-target.ts";

/** Max disabled receivers; beyond it the oldest is dropped, and disabled again at its next 410. */
const MOST_DISABLED = 1_000;
/** Min milliseconds between notices that webhooks to a receiver were given up; each task has its own record of it. */
const QUIET_MS = 24 * 60 * 60 * 1_000;
const REMEMBERED = 1_000;

export interface ReceiversDeps {
  readonly store: Pick<Store, "document" | "transact">;
  readonly clock: Clock;
  readonly notices: Pick<Notices, "add">;
}

/** Tracks receivers that want no more webhooks, and notifies the user about them. */
export class Receivers {
  readonly #deps: ReceiversDeps;
  /** Monotonic time of the last notice that webhooks to a receiver were given up. */
  readonly #reportedAt = new BoundedMap<string, number>(REMEMBERED);

  readonly #onDisabled: (url: string) => void;

  /** @param onDisabled called when an address is disabled, after it is on the disk */
  constructor(deps: ReceiversDeps, onDisabled: (url: string) => void = () => undefined) {
    this.#deps = deps;
    this.#onDisabled = onDisabled;
  }

  isDisabled(url: string): boolean {
    return this.#deps.store.document.receivers.has(url);
  }

  /** Newest first. */
  listDisabled(): readonly StoredReceiver[] {
    return [...this.#deps.store.document.receivers.values()].toSorted((a, b) => b.disabled_at - a.disabled_at);
  }

  /** It answered 410. */
  async disable(url: string): Promise<void> {
    const { store, clock, notices } = this.#deps;
    const isNew = await store.transact([{ in: "receivers" }], async (commit) => {
      if (this.isDisabled(url)) return false;
      const record = { id: url, disabled_at: clock.now() };
      const forgotten = this.listDisabled().slice(MOST_DISABLED - 1);
      const changes = forgotten.map(({ id }): Change => ({ op: "delete", in: "receivers", id }));
      await commit([...changes, { op: "put", in: "receivers", record }]);
      return true;
    });
    if (!isNew) return;
    this.#onDisabled(url);
    notices.add(
      "warning",
      `A webhook receiver at ${getReceiver(url)} responded with 410 and wants no more webhooks. Nothing is sent to its address until you enable it again.`,
    );
  }

  /** @param url as records or as pages have it. @returns whether it was disabled */
  async enable(url: string): Promise<boolean> {
    return this.#deps.store.transact([{ in: "receivers" }], async (commit) => {
      const ids = this.listDisabled().flatMap(({ id }) => (id === url || showUrl(id) === url ? [id] : []));
      if (ids.length === 0) return false;
      await commit(ids.map((id): Change => ({ op: "delete", in: "receivers", id })));
      return true;
    });
  }

  /** A webhook to it was given up. */
  tellFailed(url: string, taskId: string): void {
    const { clock, notices } = this.#deps;
    const receiver = getReceiver(url);
    const now = clock.monotonic();
    const last = this.#reportedAt.get(receiver);
    if (last !== undefined && now - last < QUIET_MS) return;
    this.#reportedAt.set(receiver, now);
    notices.add(
      "warning",
      `The webhook delivery of ${taskId} to ${receiver} failed for three days and is not retried. Resend it once its receiver works.`,
    );
  }
}

/**
 * Looks at a `webhook_url` when a task is submitted. Names are not looked up here: each delivery does that when it
 * connects.
 * @throws GatewayError invalid_value
 */
export function checkWebhookUrl(url: string, reach: Reach): void {
  try {
    webhookTarget(url, reach);
  } catch (error) {
    if (!(error instanceof WebhookRefused)) throw error;
    throw new GatewayError("invalid_value", `webhook_url ${error.message}.`, { param: "webhook_url", cause: error });
  }
}

/** Which receiver a URL belongs to: webhooks to one of them wait for each other. */
export function getReceiver(url: string): string {
  return URL.parse(url)?.origin ?? url;
}

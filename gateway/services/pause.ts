import { GatewayError } from "../core/errors.ts";
import type { Events } from "./events.ts";

/** Seconds, for clients that retry by themselves; SDKs are instructed not to, so that people see the error immediately. */
const RETRY_AFTER_SECONDS = 30;

/**
 * Pause of client requests: new ones are refused until it ends. Running requests, video tasks and webhooks go on. It is
 * not stored: Postern never starts paused.
 */
export class Pause {
  readonly #events: Events;
  paused = false;

  constructor(events: Events) {
    this.#events = events;
  }

  set(paused: boolean): void {
    if (this.paused === paused) return;
    this.paused = paused;
    this.#events.emit({ type: "settings.changed" });
  }

  /** @throws GatewayError paused */
  require(): void {
    if (!this.paused) return;
    throw new GatewayError("paused", "Postern is paused. Resume it from the tray or the Settings page.", {
      retryAfter: RETRY_AFTER_SECONDS,
    });
  }
}

import type { GatewayError } from "../../core/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import type { WatchedStream } from "../calls/stream-relay.ts";
import type { Recipient } from "../calls/client.ts";
import { alwaysDetachable } from "../calls/whole-response.ts";

/** Sound on its way to a client, which may read slowly, leave, or lose its key meanwhile. */
export class SpeechDelivery implements WatchedStream {
  lastWrite: number;
  stalledSince: number | null = null;
  /** Why Postern ended it; null when it did not. */
  stopped: GatewayError | null = null;
  readonly objection: () => GatewayError | null;
  readonly #reply: Recipient;
  readonly #clock: Clock;
  readonly #leave: () => void;
  #wake: () => void = () => {};

  /** The head of the response was sent. @param leave called when the client is gone. */
  constructor(reply: Recipient, clock: Clock, objection: () => GatewayError | null, leave: () => void) {
    this.#reply = reply;
    this.#clock = clock;
    this.#leave = leave;
    this.objection = objection;
    this.lastWrite = clock.monotonic();
    reply.onDrain(() => {
      this.stalledSince = null;
      this.#wake();
    });
    reply.onCancelled(() => {
      leave();
      this.#wake();
    }, alwaysDetachable);
  }

  /** Resolves when the client has room for more, or has left. */
  async write(bytes: Buffer): Promise<void> {
    if (bytes.length === 0) return;
    this.lastWrite = this.#clock.monotonic();
    if (this.#reply.write(bytes)) return;
    this.stalledSince ??= this.lastWrite;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (this.#reply.cancelled) resolve();
    });
  }

  /** There is nothing that could be sent between two pieces of sound. */
  beat(now: number): void {
    this.lastWrite = now;
  }

  giveUp(): void {
    this.#reply.destroy();
  }

  /** The rest of a file cannot contain an error, so the connection is broken to mark it incomplete. */
  stop(error: GatewayError): void {
    this.stopped ??= error;
    this.#leave();
    this.#reply.destroy();
  }
}

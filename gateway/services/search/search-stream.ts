import type { Document } from "../../codecs/translation.ts";
import type { GatewayError } from "../../core/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Recipient } from "../calls/client.ts";
import type { WatchedStream } from "../calls/stream-relay.ts";
import type { Dialect } from "../chat/dialect.ts";

/**
 * Joins the streams of several rounds into one. It acts as the client of each round: writes are dropped except
 * heartbeats; `tell` writes the events for the real client.
 */
export class SearchStream implements Recipient, WatchedStream {
  lastWrite: number;
  readonly stalledSince = null;
  readonly #to: Recipient;
  readonly #dialect: Dialect;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #clock: Clock;
  readonly #take: ((event: Document) => void) | null;
  #opened = false;
  #room = true;
  /** Events passed to `tell` before the response's head was sent. */
  #early: string[] = [];
  #onDrain: () => void = () => {};

  /**
   * @param headers in addition to those of the first turn
   * @param take is handed every event as an object
   */
  constructor(
    to: Recipient,
    dialect: Dialect,
    headers: Readonly<Record<string, string>>,
    clock: Clock,
    take: ((event: Document) => void) | null,
  ) {
    this.#to = to;
    this.#dialect = dialect;
    this.#headers = headers;
    this.#clock = clock;
    this.#take = take;
    this.lastWrite = clock.monotonic();
    to.onDrain(() => {
      this.#room = true;
      this.#onDrain();
    });
  }

  get cancelled(): boolean {
    return this.#to.cancelled;
  }

  /** Whether the client has its status. */
  get opened(): boolean {
    return this.#opened;
  }

  onCancelled(listener: (() => void) | null): void {
    this.#to.onCancelled(listener);
  }

  keep(release: () => void): void {
    this.#to.keep(release);
  }

  open(headers: Readonly<Record<string, string>>): void {
    if (this.#opened) return;
    this.#opened = true;
    this.#to.open({ ...headers, ...this.#headers });
    for (const text of this.#early.splice(0)) this.#send(text);
  }

  write(bytes: Buffer | string): boolean {
    if (bytes === this.#dialect.heartbeat) this.#send(bytes);
    return this.#room;
  }

  onDrain(listener: () => void): void {
    this.#onDrain = listener;
  }

  /** Ends the round, not the response. */
  end(): Promise<void> {
    return Promise.resolve();
  }

  destroy(): void {
    this.#to.destroy();
  }

  tell(events: readonly Document[]): void {
    for (const event of events) {
      this.#take?.(event);
      const text = this.#dialect.frame(event);
      if (this.#opened) this.#send(text);
      else this.#early.push(text);
    }
  }

  /** The response is whole. */
  close(): Promise<void> {
    this.#send(this.#dialect.endMark);
    return this.#to.end();
  }

  /** Tells an error to a client that has its status already. */
  break(error: GatewayError, requestId: string): Promise<void> {
    this.#send(this.#dialect.inBand(error, requestId));
    return this.#to.end();
  }

  beat(now: number): void {
    this.lastWrite = now;
    this.#send(this.#dialect.heartbeat);
  }

  /** No provider request runs while this stream is watched: a search ends by itself. */
  giveUp(): void {}
  stop(): void {}
  objection(): GatewayError | null {
    return null;
  }

  #send(text: string): void {
    this.lastWrite = this.#clock.monotonic();
    if (text !== "") this.#room = this.#to.write(text);
  }
}

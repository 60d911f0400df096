/** An event stored for a client that may reconnect. */
export interface BufferedEvent {
  readonly bytes: number;
  /** Takes the event out of the buffer and out of its session. */
  readonly forget: () => void;
}

/** Max bytes of all sessions together. */
const MOST_BYTES = 64 * 1_024 * 1_024;

/** Memory limit of all sessions: beyond it the oldest event of any session is dropped. */
export class EventBuffer {
  readonly #most: number;
  /** Oldest first. */
  readonly #events = new Set<BufferedEvent>();
  #bytes = 0;

  constructor(most = MOST_BYTES) {
    this.#most = most;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(event: BufferedEvent): void {
    this.#events.add(event);
    this.#bytes += event.bytes;
    for (const oldest of this.#events) {
      if (this.#bytes <= this.#most) break;
      oldest.forget();
    }
  }

  remove(event: BufferedEvent): void {
    if (this.#events.delete(event)) this.#bytes -= event.bytes;
  }
}

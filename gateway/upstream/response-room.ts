/** Memory for large responses of providers: with it Postern stays below 400 MiB, whatever they send. */
const ROOM_BYTES = 192 * 1024 * 1024;

/** Releases a reservation. */
export type Leave = () => void;

interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}

/**
 * Bounds the total memory of large responses. Without room a response waits, and its provider by back-pressure, because
 * a paid response must not be dropped. Each reserves its maximum at once, to avoid deadlocks.
 */
export class ResponseRoom {
  readonly #bytes: number;
  readonly #waiting = new Set<Waiting>();
  #reserved = 0;

  constructor(bytes = ROOM_BYTES) {
    this.#bytes = bytes;
  }

  /**
   * @param bytes max bytes of memory; a response larger than the room gets it exclusively.
   * @param begin called once there is room, possibly immediately.
   * @returns a function that releases the reservation, also while waiting; idempotent.
   */
  enter(bytes: number, begin: () => void): Leave {
    const waiting: Waiting = { bytes: Math.min(bytes, this.#bytes), begin };
    let here = true;
    this.#waiting.add(waiting);
    this.#next();
    return () => {
      if (!here) return;
      here = false;
      if (!this.#waiting.delete(waiting)) this.#reserved -= waiting.bytes;
      this.#next();
    };
  }

  /** Admits responses in order of arrival: a large one is not overtaken for ever by small ones. */
  #next(): void {
    for (const waiting of this.#waiting) {
      if (this.#reserved + waiting.bytes > this.#bytes) return;
      this.#waiting.delete(waiting);
      this.#reserved += waiting.bytes;
      waiting.begin();
    }
  }
}

/** Background work: its failures are reported, and its end can be awaited. */
export class Background {
  readonly stopping: AbortSignal;
  readonly #running = new Set<Promise<void>>();
  readonly #onFailure: (what: string, error: unknown) => void;

  /**
   * @param stopping aborted when everything is to end: then nothing more is begun
   * @param onFailure hears what work was rejected with. Must not throw.
   */
  constructor(stopping: AbortSignal, onFailure: (what: string, error: unknown) => void) {
    this.stopping = stopping;
    this.#onFailure = onFailure;
  }

  /** Starts work, unless stopping. @param what its name for `onFailure` */
  run(what: string, work: () => Promise<unknown>): void {
    if (this.stopping.aborted) return;
    const running: Promise<void> = work()
      .then(
        () => undefined,
        (error: unknown) => this.#onFailure(what, error),
      )
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Resolves when no work is running, including work started meanwhile. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}

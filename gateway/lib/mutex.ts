/** Runs work on the same object sequentially, in order of the calls. */
export class Mutex {
  #tail: Promise<void> = Promise.resolve();

  /** Starts `work` after all earlier work has ended, whatever its outcome. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#tail.then(work);
    this.#tail = done.then(nothing, nothing);
    return done;
  }

  /** Resolves when all work requested so far is done. */
  waitUntilSettled(): Promise<void> {
    return this.#tail;
  }
}

/** A mutex per id. */
export class KeyedMutex {
  readonly #tails = new Map<string, Promise<void>>();

  /** Starts `work` after all earlier work on any of these ids. */
  run<T>(ids: readonly string[], work: () => Promise<T>): Promise<T> {
    const before = ids.map((id) => this.#tails.get(id)).filter((tail) => tail !== undefined);
    const done = before.length === 0 ? work() : Promise.all(before).then(work);
    const tail = done.then(nothing, nothing).then(() => {
      for (const id of ids) if (this.#tails.get(id) === tail) this.#tails.delete(id);
      return undefined;
    });
    for (const id of ids) this.#tails.set(id, tail);
    return done;
  }

  /** Resolves when all work requested so far is done. @param which selects ids; all by default */
  async waitUntilFree(which: (id: string) => boolean = () => true): Promise<void> {
    await Promise.all([...this.#tails].flatMap(([id, tail]) => (which(id) ? [tail] : [])));
  }
}

const nothing = (): void => undefined;

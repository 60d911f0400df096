/** A write that someone asked for, and when it was over. */
interface Write {
  readonly requestedAt: number;
  over: number;
  /** It was acknowledged; otherwise it may have come to pass or not. */
  certain: boolean;
  readonly value: unknown;
}

/** What clients know of values that they have changed side by side: which of them may stand there now. */
export class Registers {
  readonly #writes = new Map<string, Write[]>();
  #time = 0;

  /** Asks for values by their names. @returns whether it was acknowledged; a refusal is as if it was never asked for */
  async write(values: Readonly<Record<string, unknown>>, work: () => Promise<unknown>): Promise<boolean> {
    this.#time += 1;
    const writes = Object.entries(values).map(([name, value]): [Write[], Write] => {
      // No one has written anything there before.
      const all = this.#writes.get(name) ?? [{ requestedAt: 0, over: 0, certain: true, value: undefined }];
      this.#writes.set(name, all);
      const write = { requestedAt: this.#time, over: Infinity, certain: false, value };
      all.push(write);
      return [all, write];
    });
    try {
      await work();
    } catch {
      for (const [all, write] of writes) all.splice(all.indexOf(write), 1);
      return false;
    }
    this.#time += 1;
    for (const [, write] of writes) Object.assign(write, { over: this.#time, certain: true });
    return true;
  }

  /** Nothing that is under way comes to pass any more, if it has not. */
  cut(): void {
    this.#time += 1;
    for (const all of this.#writes.values()) for (const write of all) write.over = Math.min(write.over, this.#time);
  }

  names(): string[] {
    return [...this.#writes.keys()];
  }

  /** What may stand there: what no write was acknowledged for that was started after this one's end. */
  possible(name: string): unknown[] {
    const all = this.#writes.get(name) ?? [];
    const certain = all.filter((write) => write.certain);
    return all.filter((write) => !certain.some((later) => later.requestedAt > write.over)).map(({ value }) => value);
  }
}

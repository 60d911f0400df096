/**
 * Objects that come and go with every call. In a `Map` or a `Set` of these, V8 keeps all of it until the next collection of
 * the whole heap: each table that they outgrow points to the next one, so once one of them is old, all that were ever in the
 * later ones are moved among the old, dead as they are. That took a third of a call's CPU at 64 connections. Here a place is
 * emptied when its value goes.
 */
export class Slots<T> {
  readonly #values: (T | null)[] = [];
  readonly #free: number[] = [];

  get size(): number {
    return this.#values.length - this.#free.length;
  }

  /** @returns the place of the value, for `get` and `remove` */
  add(value: T): number {
    const slot = this.#free.pop() ?? this.#values.length;
    this.#values[slot] = value;
    return slot;
  }

  get(slot: number): T | null {
    return this.#values[slot] ?? null;
  }

  /** Empties the place, if it is still this value's: removing it again does nothing. */
  remove(slot: number, value: T): void {
    if (this.#values[slot] !== value) return;
    this.#values[slot] = null;
    this.#free.push(slot);
  }

  /** Iterates in no order. Values that are removed meanwhile are skipped. */
  *[Symbol.iterator](): Generator<T> {
    for (const value of this.#values) if (value !== null) yield value;
  }
}

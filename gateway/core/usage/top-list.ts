/** The `most` best of many, in memory for no more than these. What comes first is better than what equals it. */
export class TopList<T> {
  readonly #most: number;
  /** 1 where high figures are best, -1 where low ones are. */
  readonly #sign: 1 | -1;
  /** A heap: the worst is the first. */
  readonly #heap: { readonly rank: number; readonly order: number; readonly item: T }[] = [];
  #order = 0;

  constructor(most: number, best: "desc" | "asc") {
    this.#most = most;
    this.#sign = best === "desc" ? 1 : -1;
  }

  get size(): number {
    return this.#heap.length;
  }

  /** Whether what has this figure would be among the best. @param figure null: worse than any other */
  wants(figure: number | null): boolean {
    const [worst] = this.#heap;
    return this.#heap.length < this.#most || (worst !== undefined && this.#rank(figure) > worst.rank);
  }

  /** Takes what is wanted in; the worst leaves where there are too many. */
  add(figure: number | null, item: T): void {
    const heap = this.#heap;
    const entry = { rank: this.#rank(figure), order: this.#order++, item };
    if (heap.length < this.#most) {
      heap.push(entry);
      this.#rise(heap.length - 1);
    } else {
      heap[0] = entry;
      this.#sink();
    }
  }

  /** The best first. */
  list(): T[] {
    const better = this.#heap.toSorted((a, b) => b.rank - a.rank || a.order - b.order);
    return better.map(({ item }) => item);
  }

  /** Finite for all but null, so that two of them can be compared by their difference. */
  #rank(figure: number | null): number {
    return figure === null || !Number.isFinite(figure) ? -Number.MAX_VALUE : figure * this.#sign;
  }

  #worse(a: number, b: number): boolean {
    const [one, other] = [this.#heap[a], this.#heap[b]];
    if (one === undefined || other === undefined) return one !== undefined;
    return one.rank < other.rank || (one.rank === other.rank && one.order > other.order);
  }

  #swap(a: number, b: number): void {
    const [one, other] = [this.#heap[a], this.#heap[b]];
    if (one !== undefined && other !== undefined) [this.#heap[a], this.#heap[b]] = [other, one];
  }

  #rise(from: number): void {
    for (let at = from; at > 0;) {
      const above = (at - 1) >> 1;
      if (!this.#worse(at, above)) return;
      this.#swap(at, above);
      at = above;
    }
  }

  #sink(): void {
    for (let at = 0; ;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const below = this.#worse(right, left) ? right : left;
      if (!this.#worse(below, at) || below >= this.#heap.length) return;
      this.#swap(at, below);
      at = below;
    }
  }
}

/** A call of the model's turn. */
interface OpenCall {
  /** Id that its result gets. */
  readonly id: string;
  hasResult: boolean;
}

/** Calls in their order, the first of which is found in constant time. */
interface CallQueue {
  readonly calls: OpenCall[];
  next: number;
}

/** Calls of the last turn without a result, looked up in constant time: a turn may have tens of thousands. */
export class OpenCalls {
  readonly #byId = new Map<string, OpenCall>();
  readonly #byName = new Map<string, CallQueue>();
  readonly #all: CallQueue = { calls: [], next: 0 };

  /** @param given the client's own id; null if omitted */
  add(given: string | null, name: string, id: string): void {
    const call = { id, hasResult: false };
    if (given !== null && !this.#byId.has(given)) this.#byId.set(given, call);
    this.#all.calls.push(call);
    const named = this.#byName.get(name);
    if (named === undefined) this.#byName.set(name, { calls: [call], next: 0 });
    else named.calls.push(call);
  }

  /**
   * Finds the call of a result: by its id, else the first open one of its name, else, for a result without a name, the
   * first open one.
   * @returns its id; null: no call
   */
  take(given: string | null, name: string | null): string | null {
    const known = given === null ? undefined : this.#byId.get(given);
    const queue = name === null ? this.#all : this.#byName.get(name);
    const call = known === undefined || known.hasResult ? findNext(queue) : known;
    if (call === undefined) return null;
    call.hasResult = true;
    return call.id;
  }
}

function findNext(queue: CallQueue | undefined): OpenCall | undefined {
  if (queue === undefined) return undefined;
  while (queue.calls[queue.next]?.hasResult === true) queue.next += 1;
  return queue.calls[queue.next];
}

import { useSyncExternalStore } from "react";

/**
 * State that outlives the page it is shown on, and ends with the window: what was typed and what runs is still there
 * when the owner comes back. Nothing of it is stored.
 */
export interface Memory<Value> {
  get(): Value;
  /** Replaces fields; the others stay. */
  change(fields: Partial<Value>): void;
  update(make: (before: Value) => Value): void;
  subscribe(listener: () => void): () => void;
}

export function createMemory<Value extends object>(initial: Value): Memory<Value> {
  const listeners = new Set<() => void>();
  let value = initial;
  const update = (make: (before: Value) => Value): void => {
    const next = make(value);
    if (next === value) return;
    value = next;
    for (const listener of listeners) listener();
  };
  return {
    get: () => value,
    update,
    change: (fields) => update((before) => ({ ...before, ...fields })),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useMemory<Value>(memory: Memory<Value>): Value {
  return useSyncExternalStore(memory.subscribe, memory.get);
}

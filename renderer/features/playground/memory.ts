import { useSyncExternalStore } from "react";
import { isPlain, keep } from "../../lib/reload-memory.ts";

/**
 * State that outlives its page and ends with the window: drafts and running calls are still there when the user
 * returns. It is not stored. The desktop app unloads a hidden window and restores the state with it, unless a call is
 * running or the state has files.
 */
export interface Memory<Value> {
  get(): Value;
  /** Replaces fields; the others stay. */
  change(fields: Partial<Value>): void;
  update(make: (before: Value) => Value): void;
  subscribe(listener: () => void): () => void;
}

/** @param name its own among all memories */
export function createMemory<Value extends object>(name: string, initial: Value): Memory<Value> {
  const listeners = new Set<() => void>();
  const before = keep(name, () => (isPlain(value) && !runs(value) ? value : undefined));
  let value: Value = before === undefined ? initial : { ...initial, ...(before as Value) };
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

/** Whether a call in it is not over: it would end with the window. */
function runs(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([field, within]) => (field === "status" && within === "running") || runs(within));
}

export function useMemory<Value>(memory: Memory<Value>): Value {
  return useSyncExternalStore(memory.subscribe, memory.get);
}

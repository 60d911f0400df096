import { useCallback, useSyncExternalStore } from "react";

/** Small preferences (theme, language, hidden columns) in localStorage. Never secrets. */
const listeners = new Set<() => void>();
const PREFIX = "postern.";

/** Blocked storage (private windows) means defaults, never a broken page. */
export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

export function writeStored(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, value);
  } catch {
    // The choice then lasts as long as the page: see `readStored`.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

export function useStored(name: string): [string | null, (value: string | null) => void] {
  const value = useSyncExternalStore(subscribe, () => readStored(name));
  const write = useCallback((next: string | null) => writeStored(name, next), [name]);
  return [value, write];
}

import { useEffect, useSyncExternalStore } from "react";

/** How many dialogs are open, for what must not lie over their buttons. */
let count = 0;
const listeners = new Set<() => void>();

function add(change: number): void {
  count += change;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Counts a dialog while it is open. */
export function useOpenDialog(open: boolean): void {
  useEffect(() => {
    if (!open) return;
    add(1);
    return () => add(-1);
  }, [open]);
}

export function useDialogIsOpen(): boolean {
  return useSyncExternalStore(subscribe, () => count > 0);
}

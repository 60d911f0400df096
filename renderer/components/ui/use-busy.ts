import { useState } from "react";
import { useNotify } from "./toasts.tsx";

/** State of a button's action: it shows `busy` while it runs. */
export interface Busy {
  readonly busy: boolean;
  /** Resolves `true` when it was done. */
  run(work: () => Promise<unknown>): Promise<boolean>;
}

/** Returns a busy state whose failures go to `onFailure`, or to a toast if it is missing. */
export function useBusy(onFailure?: (error: unknown) => unknown): Busy {
  const notify = useNotify();
  const [busy, setBusy] = useState(false);
  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    try {
      await work();
      return true;
    } catch (error) {
      if (onFailure === undefined) notify.showError(error);
      else await onFailure(error);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, run };
}

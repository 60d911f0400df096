// Without zod: the pages begin with it.

/** What a receipt says of how its request ended. */
export interface Ending {
  readonly outcome: string;
  readonly code: string | null;
  readonly status: number;
}

/** Whether a request is counted as an error: what its client ended is none. */
export const hasFailed = (ending: Ending): boolean => !wasCancelled(ending) && isError(ending);

/** Whether its times say how fast responses are: what was refused or broke off says nothing about it. */
export const hasDuration = (ending: Ending): boolean => ending.outcome === "completed" && !isError(ending);

/** Ended by its client. Receipts of earlier versions have only the code for it. */
export function wasCancelled({ outcome, code }: Ending): boolean {
  return outcome === "cancelled" || code === "client_closed";
}

function isError({ outcome, code, status }: Ending): boolean {
  // Those of other versions may have none.
  return outcome === "failed" || (code ?? null) !== null || status >= 400;
}

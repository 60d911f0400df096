// Without zod, because the pages load it first.

/** End of a request, as in its receipt. */
export interface Ending {
  readonly outcome: string;
  readonly code: string | null;
  readonly status: number;
}

/** Returns whether a request counts as an error; one that its client cancelled does not. */
export const hasFailed = (ending: Ending): boolean => !wasCancelled(ending) && isError(ending);

/** Tells whether its durations are meaningful: refused or aborted requests say nothing about speed. */
export const hasDuration = (ending: Ending): boolean => ending.outcome === "completed" && !isError(ending);

/** Ended by its client. Receipts of earlier versions have only the code for it. */
export function wasCancelled({ outcome, code }: Ending): boolean {
  return outcome === "cancelled" || code === "client_closed";
}

function isError({ outcome, code, status }: Ending): boolean {
  // Receipts of other versions may lack the code.
  return outcome === "failed" || (code ?? null) !== null || status >= 400;
}

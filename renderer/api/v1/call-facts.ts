import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { ControlError } from "../client.ts";

/** State of a call, while it runs and afterwards. Times are milliseconds. */
export interface CallFacts {
  readonly model: string;
  /** Null until a response started. */
  readonly requestId: string | null;
  /** Time from sending to the first word of the response, or to its head if it is not streamed. */
  readonly firstMs: number | null;
  /** Total time; null while it runs. */
  readonly ms: number | null;
  /** Null until settled, and if nothing is billed. */
  readonly receipt: Receipt | null;
}

export const factsAtStart = (model: string): CallFacts => ({
  model,
  requestId: null,
  firstMs: null,
  ms: null,
  receipt: null,
});

export type CallStatus = "running" | "done" | "failed" | "stopped";

/** Why a call failed, with the original message in `error`. */
export interface CallFault {
  readonly error: unknown;
  readonly code: string | null;
}

export function describeFault(error: unknown): CallFault {
  return { error, code: error instanceof ControlError ? error.code : null };
}

export const isStop = (error: unknown): boolean => error instanceof DOMException && error.name === "AbortError";

import { CONVERSATIONS } from "../../../gateway/contract/conversations.ts";
import type { Receipt } from "../../../gateway/contract/receipt.ts";

/** Time to first token in ms; null without a response, and for endpoints without tokens. */
export const getFirstMs = ({ endpoint, first_ms }: Pick<Receipt, "endpoint" | "first_ms">): number | null =>
  CONVERSATIONS.has(endpoint) ? first_ms : null;

/** Stages that a request waits for, in order. */
export type StageName = "queue" | "connect" | "first" | "stream" | "whole";

/** A span of a request's time, in ms since it arrived. */
export interface Stage {
  readonly name: StageName;
  readonly from: number;
  readonly to: number;
}

/**
 * Splits a request's time into contiguous stages from its arrival to its last byte. Receipts of earlier versions have
 * fewer fields, and a request without a response has no first token: then a stage covers more time.
 */
export function getStages({ ms, first_ms, wait_ms, connect_ms }: Receipt): readonly Stage[] {
  const stages: Stage[] = [];
  let from = 0;
  // Each is measured by itself: a hundredth may be missing or too much.
  const upTo = (name: StageName, until: number): void => {
    const to = Math.min(ms, Math.max(from, until));
    stages.push({ name, from, to });
    from = to;
  };
  if (typeof wait_ms === "number") {
    upTo("queue", wait_ms);
    if (typeof connect_ms === "number") upTo("connect", wait_ms + connect_ms);
  }
  if (first_ms !== null) {
    upTo("first", first_ms);
    upTo("stream", ms);
  } else upTo("whole", ms);
  return stages;
}

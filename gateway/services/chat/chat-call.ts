import type { ChatBody } from "../../core/chat-rules.ts";
import { estimateHold } from "../../core/estimate.ts";
import type { HoldEstimate } from "../../core/estimate.ts";
import type { Units } from "../../core/model.ts";
import type { DialectAdapter, Vendor } from "../../vendors/vendor.ts";
import type { CallRecord } from "../calls/call-record.ts";
import type { Client, StreamWriter } from "../calls/client.ts";
import type { RingKey } from "../keys/key-ring.ts";
import type { Route } from "../models/model-index.ts";

/** A chat completion as it came in. */
export interface ChatInput {
  readonly requestId: string;
  readonly arrivedAt: number;
  readonly key: RingKey;
  readonly userAgent: string;
  readonly raw: Buffer;
  readonly body: unknown;
  /** Tells the access log what it was about. */
  readonly note: (model: string, code: string | null) => void;
  /** Tells who is asked, before anything is sent: a failing answer names its vendor too. */
  readonly asked: (vendor: string) => void;
}

/** One request on its way through the story. */
export interface ChatCall {
  readonly input: ChatInput;
  readonly record: CallRecord;
  readonly reply: Client & StreamWriter;
  /** What the call may cost, worked out when first asked for; null until its model is known. */
  estimate: (() => HoldEstimate) | null;
}

/** The estimate at the candidate where the call costs most: fail-over may end there. */
export function dearest(body: ChatBody, route: Route): HoldEstimate {
  const estimates = route.candidates.map((candidate) => estimateHold(body, candidate.price, route.spec));
  return estimates.reduce((most, estimate) => (estimate.nano > most.nano ? estimate : most));
}

/** The prompt as we count it, for calls whose vendor does not report. */
export function promptUnits(call: ChatCall): Units {
  return { input: call.estimate?.().input ?? 0 };
}

export function chatAdapter(vendor: Vendor): DialectAdapter {
  if (vendor.chat === null) throw new Error(`${vendor.id} does not speak the common chat API`);
  return vendor.chat;
}

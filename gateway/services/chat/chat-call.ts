import { estimateHold } from "../../core/money/estimate.ts";
import type { HoldEstimate } from "../../core/money/estimate.ts";
import type { Units } from "../../core/models/model.ts";
import type { Document } from "../../codecs/translation.ts";
import type { Client, StreamWriter } from "../calls/client.ts";
import type { CallInput, PaidCall } from "../calls/paid-call.ts";
import type { Route } from "../models/model-index.ts";
import type { Dialect } from "./dialect.ts";
import type { Speaker } from "./speak.ts";

/** A conversation as it came in, in any dialect. */
export interface ChatInput extends CallInput {
  readonly raw: Buffer;
  readonly body: unknown;
  /** Headers that belong to the dialect, for vendors that speak it: `anthropic-version`, `anthropic-beta`, … */
  readonly headers: Readonly<Record<string, string>>;
}

/** One request on its way through the story. */
export interface ChatCall {
  readonly paid: PaidCall;
  /** The client's. */
  readonly dialect: Dialect;
  readonly reply: Client & StreamWriter;
  /** What the call may cost, worked out when first asked for; null until its model is known. */
  estimate: (() => HoldEstimate) | null;
}

/** A call whose model is known. */
export interface SpokenCall extends ChatCall {
  readonly speaker: Speaker;
}

/** The estimate at the candidate where the call costs most: fail-over may end there. */
export function dearest(body: Document, route: Route): HoldEstimate {
  const estimates = route.candidates.map((candidate) => estimateHold(body, candidate.price, route.spec));
  return estimates.reduce((most, estimate) => (estimate.nano > most.nano ? estimate : most));
}

/** The prompt as we count it, for calls whose vendor does not report. */
export function promptUnits(call: ChatCall): Units {
  return { input: call.estimate?.().input ?? 0 };
}

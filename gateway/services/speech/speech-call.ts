import type { ModelSpec, Price, Units } from "../../core/models/model.ts";
import type { RuledSpeech } from "../../core/speech/speech-rules.ts";
import { unsupportedFormat } from "../../core/speech/speech-rules.ts";
import { countedUnits, speechHold } from "../../core/speech/speech-units.ts";
import type { SpeechText } from "../../core/speech/speech-units.ts";
import type { SpeechAdapter } from "../../providers/speech.ts";
import type { Provider } from "../../providers/provider.ts";
import type { Recipient } from "../calls/client.ts";
import type { StreamHead } from "../calls/stream-relay.ts";
import { findMaxCost } from "../calls/paid-call.ts";
import type { CallCost, PaidCall } from "../calls/paid-call.ts";
import type { Candidate, ServedModel } from "../models/served-model.ts";

/** A checked text to speak. */
export interface SpeechWork {
  readonly call: PaidCall;
  readonly ruled: RuledSpeech;
  readonly spec: ModelSpec | null;
}

/** The same, and who listens. */
export interface SpeechRun extends SpeechWork {
  readonly reply: Recipient;
  /** The head of a stream of events, which may have been sent with a heartbeat. */
  readonly head: StreamHead | null;
}

export function getSpeechAdapter(provider: Provider): SpeechAdapter {
  if (provider.speech === null) throw new Error(`${provider.id} does not speak`);
  return provider.speech;
}

/**
 * Returns the candidates that support the requested format.
 * @throws GatewayError unsupported_value if none exists.
 */
export function ableCandidates(servedModel: ServedModel, { format }: RuledSpeech): readonly Candidate[] {
  const formatsOf = ({ connection }: Candidate): readonly string[] | null =>
    getSpeechAdapter(connection.provider).formats;
  const able = servedModel.candidates.filter((candidate) => formatsOf(candidate)?.includes(format) ?? true);
  if (able.length > 0) return able;
  throw unsupportedFormat(
    format,
    servedModel.id,
    servedModel.candidates.flatMap((candidate) => formatsOf(candidate) ?? []),
  );
}

/** Returns the max cost of speaking the text. */
export function getSpeechCost(run: Pick<SpeechRun, "ruled" | "spec">, candidates: readonly Candidate[]): CallCost {
  const text = getText(run);
  return findMaxCost(candidates, (price) => speechHold(text, price));
}

/** Returns the units of a call whose provider reports none. @param seconds of audio; null if unknown. */
export function createOwnCount(
  run: Pick<SpeechRun, "ruled" | "spec">,
  price: Price | null,
  seconds: number | null,
): Units {
  return countedUnits(getText(run), price, seconds);
}

function getText({ ruled, spec }: Pick<SpeechRun, "ruled" | "spec">): SpeechText {
  return {
    text: ruled.text,
    instructions: ruled.instructions,
    ideographCounts: spec?.speech?.ideographCounts ?? 1,
  };
}

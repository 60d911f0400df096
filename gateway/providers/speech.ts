import type { ModelSpec, Units } from "../core/models/model.ts";
import type { RuledSpeech } from "../core/speech/speech-rules.ts";
import type { WireRequest } from "./wire-request.ts";

/** A checked speech call, after the model's rules (voice, format, instructions). */
export interface SpeechCall extends RuledSpeech {
  readonly upstreamModel: string;
  /** Null for models that are known only from the provider's list. */
  readonly model: ModelSpec | null;
}

/**
 * What a provider sends back, told by its response's content type.
 * `audio`: the file itself, as it streams. `relay`: events in the client's own dialect, to be passed on. `pieces`: events
 * that carry samples. `document`: JSON that names where the file lies.
 */
export type SpeechResponse = "audio" | "relay" | "pieces" | "document";

/** One event of a stream of sound. */
export interface SpeechPiece {
  /** For `pieces` samples: 24 kHz, 16 bit, mono, little-endian; for `relay` bytes of the file. Null: none in it. */
  readonly audio: Buffer | null;
  /** Where the whole file lies, once the provider says so. */
  readonly url: string | null;
  /** Cumulative; null when it tells none. */
  readonly units: Units | null;
  readonly done: boolean;
}

/** `speech.ts` of a provider. */
export interface SpeechAdapter {
  /** What the sound can be given as; null where the provider decides. */
  readonly formats: readonly string[] | null;
  toRequest(call: SpeechCall, secret: string | null): WireRequest;
  /** @param contentType lower case, without parameters. Null when it can be no speech. */
  responseKind(contentType: string): SpeechResponse | null;
  /** For `document`; null when it is no speech answer. */
  fromDocument(body: unknown): { readonly url: string; readonly units: Units | null } | null;
  /** For `relay` and `pieces`; `data` is one event's parsed data. Null when it is no speech event. */
  fromEvent(data: unknown): SpeechPiece | null;
  /** The status that an event says it has, for events that are errors; `frame` is its text. Null: none. */
  readStatus(frame: string): number | null;
}

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
 * The kind of a provider's response, known by its content type.
 * `audio`: the file itself, as it streams. `relay`: events in the client's own dialect, to be passed on. `pieces`: events
 * that carry samples. `document`: JSON that names the address of the file.
 */
export type SpeechResponse = "audio" | "relay" | "pieces" | "document";

/** An event of an audio stream. */
export interface SpeechPiece {
  /** Samples for `pieces`: 24 kHz, 16 bit, mono, little-endian; bytes of the file for `relay`. Null: no audio in it. */
  readonly audio: Buffer | null;
  /** Address of the whole file, once the provider names it. */
  readonly url: string | null;
  /** Cumulative; null when the event has no usage. */
  readonly units: Units | null;
  readonly done: boolean;
}

/** `speech.ts` of a provider. */
export interface SpeechAdapter {
  /** Audio formats of the response; null if the provider decides. */
  readonly formats: readonly string[] | null;
  toRequest(call: SpeechCall, secret: string | null): WireRequest;
  /** @param contentType lower case, without parameters. Null when it can be no speech. */
  responseKind(contentType: string): SpeechResponse | null;
  /** Reads a `document`; null when it is not a speech response. */
  fromDocument(body: unknown): { readonly url: string; readonly units: Units | null } | null;
  /** Reads an event of `relay` or `pieces`; `data` is its parsed data. Null when it is not a speech event. */
  fromEvent(data: unknown): SpeechPiece | null;
  /** Returns the status of an error event; `frame` is its text. Null: none. */
  readStatus(frame: string): number | null;
}

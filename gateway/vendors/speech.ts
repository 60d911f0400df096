import type { ModelSpec, Units } from "../core/model.ts";
import type { WireRequest } from "./vendor.ts";

/** A checked speech call, after the model's rules (voice, format, instructions). */
export interface SpeechCall {
  readonly text: string;
  /** A voice that the model has. */
  readonly voice: string;
  /** The format that the client gets: `mp3`, `wav`, and more at OpenAI. */
  readonly format: string;
  readonly instructions: string | null;
  readonly upstreamModel: string;
  readonly model: ModelSpec | null;
  /** The client's body, for vendors of the common dialect, which read the rest of it themselves. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** What a vendor sends back, read by its answer's content type. */
export type SpeechAnswer =
  /** The file itself, as it streams. */
  | { readonly kind: "audio"; readonly contentType: string }
  /** Server-sent events that carry pieces of sound. */
  | { readonly kind: "events" }
  /** A JSON document that names where the file lies. */
  | { readonly kind: "document" };

/** One event of a stream of sound. */
export interface SpeechPiece {
  /** Samples: 24 kHz, 16 bit, mono, little-endian, without a header; null when the event holds none. */
  readonly pcm: Buffer | null;
  /** Where the whole file lies, once the vendor says so. */
  readonly url: string | null;
  readonly units: Units | null;
  readonly done: boolean;
}

/** `speech.ts` of a vendor. */
export interface SpeechAdapter {
  toRequest(call: SpeechCall, secret: string | null): WireRequest;
  answerKind(contentType: string): SpeechAnswer | null;
  /** For `document`; null when it is no speech answer. */
  fromDocument(body: unknown): { readonly url: string; readonly units: Units | null } | null;
  /** For `events`; `data` is one event's parsed data. Null when it is no speech event. */
  fromEvent(data: unknown): SpeechPiece | null;
}

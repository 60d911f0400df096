import type { TranscriptFormat, TranscriptionFields } from "../contract/transcription.ts";
import type { FieldRules } from "../core/keys/key-reach.ts";
import type { ModelSpec, Units } from "../core/models/model.ts";
import type { SoundFile } from "../core/transcription/sound-file.ts";
import type { RuledTranscription } from "../core/transcription/transcription-rules.ts";
import type { WireRequest } from "./wire-request.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A checked call. `format` is the client's; the provider's format is one from which that can be derived. */
export interface TranscriptionCall extends RuledTranscription {
  readonly file: SoundFile;
  /** Fields of the common API that are not empty. `upstreamModel` has the provider's name of the model. */
  readonly fields: TranscriptionFields;
  /** Fields unknown to the schema, by form name, each with all its values. */
  readonly extra: Readonly<Record<string, readonly string[]>>;
  readonly upstreamModel: string;
  /** Null for models that only the provider's list names. */
  readonly model: ModelSpec | null;
}

/** The request but for the key: the sound is large, so it is made once, however many keys and connections are tried. */
export interface EncodedTranscription {
  readonly path: string;
  /** Headers that describe the body. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: readonly Buffer[];
}

/** A response that was read whole. */
export interface ProviderTranscript {
  /** The common fields of `json`, `verbose_json` or `diarized_json`; the provider's own object if it has these. */
  readonly document: Fields;
  /** Seconds or tokens that the provider reports as billed; null if not reported. */
  readonly reported: Units | null;
}

/** `transcriptions.ts` of a provider: `/v1/audio/transcriptions` and `/v1/audio/translations`. */
export interface TranscriptionsAdapter {
  /** Fields with effects beyond the model; absent if there are no such fields. */
  readonly reaches?: FieldRules;
  /** Formats of the transcript; null if the provider decides. */
  readonly formats: readonly TranscriptFormat[] | null;
  /** Whether it has `/audio/translations`. */
  readonly translates: boolean;
  encode(call: TranscriptionCall): EncodedTranscription;
  toRequest(encoded: EncodedTranscription, secret: string | null): WireRequest;
  /** @returns null when the response is no transcript. */
  fromResponse(body: unknown, call: TranscriptionCall): ProviderTranscript | null;
  /** Converts an event to the common format: the same object if unchanged, null if it is not for clients. */
  toEvent(data: Fields): Fields | null;
}

import type { Units } from "../../core/models/model.ts";
import type { ProviderError } from "../../core/attempts/provider-error.ts";
import type { SpeechAdapter } from "../../providers/speech.ts";
import type { Opened } from "../calls/attempts.ts";

/**
 * A piece of a response: the bytes for the client, and the audio in it, which is the same unless it is sent in events.
 */
export interface SpeechBytes {
  readonly send: Buffer;
  readonly sound: Buffer;
}

/** Audio of a running response. */
export interface SpeechSource {
  /** Content type that the client gets. */
  readonly contentType: string;
  /** Whether its pieces are events of the common dialect already. */
  readonly events: boolean;
  /** Whether the provider's bytes are the whole response, so that it reports no usage at all. */
  readonly bare: boolean;
  /**
   * Ends when the sound is whole.
   * @throws UpstreamFailure when it breaks off, ProviderRefusal, NotSpeech, GatewayError.
   */
  readonly pieces: AsyncGenerator<SpeechBytes, void, undefined>;
  /** Usage that the provider reported so far. */
  readonly units: () => Units | null;
  /** Aborts it immediately. */
  abort(): void;
}

export interface SpeechInput {
  readonly opened: Opened;
  readonly adapter: SpeechAdapter;
  /** Format that the client gets. */
  readonly format: string;
}

/** An error inside a response with status 200. */
export class ProviderRefusal extends Error {
  override readonly name = "ProviderRefusal";
  readonly error: ProviderError;

  constructor(error: ProviderError) {
    super(error.message);
    this.error = error;
  }
}

/** The response is not audio; it may be an error (`refuseResponse` checks). */
export class NotSpeech extends Error {
  override readonly name = "NotSpeech";
  readonly response: unknown;

  constructor(response: unknown) {
    super("the answer is no speech");
    this.response = response;
  }
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  mp3: "audio/mpeg",
  wav: "audio/wav",
  opus: "audio/opus",
  aac: "audio/aac",
  flac: "audio/flac",
  pcm: "audio/pcm",
};

/** The media type of a format of the common dialect (docs/providers/openai.md#speech). */
export function getContentType(format: string): string {
  return CONTENT_TYPES[format] ?? "application/octet-stream";
}

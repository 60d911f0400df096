/** Audio as the client sent it; its bytes are not yet inspected. */
export interface SentSound {
  /** Field that carried it, for messages: `file`, or an argument of a tool. */
  readonly field: string;
  readonly fileName: string;
  readonly bytes: Buffer;
}

/** A transcription request. */
export interface TranscriptionInput {
  /** Fields of the common API, in JSON types; not checked yet. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** All others, under the names that the form gave them. */
  readonly extra: Readonly<Record<string, readonly string[]>>;
  /** Null if no file was sent. */
  readonly file: SentSound | null;
}

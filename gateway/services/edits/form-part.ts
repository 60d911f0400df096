/** A part of a multipart form. */
export interface FormPart {
  readonly name: string;
  /** File name from the client; null for parts that are not files. Only forwarded, never used as a path. */
  readonly fileName: string | null;
  readonly bytes: Buffer;
}

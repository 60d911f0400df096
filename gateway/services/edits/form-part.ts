/** A part of a multipart form. */
export interface FormPart {
  readonly name: string;
  /** File name from the client; null for parts that are no files. Only ever passed on, never used as a path. */
  readonly fileName: string | null;
  readonly bytes: Buffer;
}

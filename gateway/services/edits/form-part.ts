/** One part of a multipart form. */
export interface FormPart {
  readonly name: string;
  /** As the client calls it; null for parts that are no files. Only ever passed on, never used as a path. */
  readonly fileName: string | null;
  readonly bytes: Buffer;
}

/** A picture as the client sent it; its bytes are not yet inspected. */
export interface SentFile {
  readonly kind: "file";
  /** Form field, for messages: `image[2]`. */
  readonly field: string;
  readonly fileName: string;
  readonly bytes: Buffer;
}

/** A picture that the client only names (JSON form). */
export interface SentReference {
  readonly kind: "reference";
  readonly field: string;
  readonly value: { readonly image_url?: string; readonly file_id?: string };
}

export type SentPicture = SentFile | SentReference;

/** A request to edit, out of either of its forms. */
export interface EditInput {
  /** Everything but the pictures, in the types of JSON; not checked yet. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly images: readonly SentPicture[];
  readonly mask: SentPicture | null;
}

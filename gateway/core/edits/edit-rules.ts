/**
 * The rules of an image model on `/v1/images/edits`; data of the catalog
 * (docs/specification.md#post-v1imagesedits-multipartform-data, docs/providers/openai.md#image-edits).
 */
export interface EditRules {
  /** Accepted sizes in addition to `auto`, which every model takes. */
  readonly sizes: readonly string[];
  /** Accepted values of `quality`; empty if the provider has no such field. */
  readonly qualities: readonly string[];
  /** Most reference images of one call. */
  readonly images: number;
  /** Bytes that one image must stay below. */
  readonly imageBytes: number;
  /** Whether an image must be a square PNG. */
  readonly squarePng: boolean;
  readonly mask: boolean;
  /** Most pictures of one call. */
  readonly n: number;
  /** Characters. */
  readonly prompt: number;
  /**
   * `base64`: the response contains the pictures, and the provider refuses `response_format`. `choice`: as the client
   * wants.
   */
  readonly response: "base64" | "choice";
  /** Whether it has `output_format`, `background`, `output_compression`. */
  readonly output: boolean;
  /** Whether it has `input_fidelity`. */
  readonly fidelity: boolean;
  /** Whether it streams partial images. */
  readonly stream: boolean;
}

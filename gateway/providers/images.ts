import type { RequestedModel, ImageBody, ImageRequest } from "../core/images/image-request.ts";
import type { FieldRules } from "../core/keys/key-reach.ts";
import type { ModelSpec, Units } from "../core/models/model.ts";
import type { AllowedOutput, WireRequest } from "./wire-request.ts";

/** An image call in the shape of its model's family, checked and completed by the family's rules. */
export interface ImagesCall {
  /** The client's original bytes, if the family's format is the provider's and nothing has to change. */
  readonly raw: Buffer | null;
  readonly body: Readonly<Record<string, unknown>>;
  readonly upstreamModel: string;
  readonly model: ModelSpec | null;
  readonly stream: boolean;
  /** Max output tokens, like `DialectCall.bound`; for providers whose image models also write tokens. */
  readonly bound: number | null;
}

/** Limits of an image model's output, which includes text and reasoning. */
export interface AllowedDrawing extends AllowedOutput {
  readonly perChoice: number;
  /** Whether the client wrote no bound. */
  readonly open: boolean;
}

/** An image inline or by URL. */
export type ImageResult =
  | { readonly kind: "base64"; readonly data: string }
  /** An image at the provider's URL, available as long as the provider keeps it. */
  | { readonly kind: "url"; readonly url: string };

export interface ProviderImages {
  /**
   * The client's response: the provider's own document (the very same object if nothing changes), completed if the family's
   * shape has more fields. The image service fills in `created` and `request_id` if they are missing.
   */
  readonly body: Readonly<Record<string, unknown>>;
  readonly images: readonly ImageResult[];
  /** `image` counts the images; next to it tokens, where the provider reports them. What is billed hangs on the price. */
  readonly units: Units;
}

/**
 * Checks and completes a client's request by the rules of a family of models. Never changes the body.
 * @throws GatewayError naming the invalid field, its value and the accepted values (400).
 */
export type ImageFamilyRules = (body: ImageBody, model: RequestedModel) => ImageRequest;

/** `images.ts` of a provider: `/v1/images/generations`. */
export interface ImagesAdapter {
  /** Model families whose requests it checks, by catalog name. */
  readonly families: Readonly<Record<string, ImageFamilyRules>>;
  /** How its own format is detected and read for models outside the catalog; absent if its format is the common one. */
  readonly ownShape?: { readonly field: string; read(body: ImageBody): ImageRequest };
  /** Returns the limits of a request with a `bound`. Missing, or null, if the number of images and their size decide. */
  allows?(call: ImagesCall): AllowedDrawing | null;
  /** Fields with effects beyond the model; absent if there are no such fields. */
  readonly reaches?: FieldRules;
  toRequest(call: ImagesCall, secret: string | null): WireRequest;
  /** @returns null if the response contains no images */
  fromResponse(body: unknown, call: ImagesCall): ProviderImages | null;
  /**
   * The tokens in the usage of a stream's `….completed` event; null at providers that do not stream images. Events are
   * passed on as they come; images are read from their `b64_json` or `url`.
   */
  readonly toUnits: ((usage: unknown) => Units | null) | null;
}

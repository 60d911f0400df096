import type { ImageFamily, ImageRules } from "./image-rules.ts";
import { GatewayError } from "../errors.ts";

export type ImageBody = Readonly<Record<string, unknown>>;

/** An image request after its family's rules: the provider's body, and the facts used here. */
export interface ImageRequest {
  /** Null: the common format of a model that only its provider knows. */
  readonly family: ImageFamily | null;
  /** The completed request in the family's shape. */
  readonly body: ImageBody;
  /** Whether `body` differs from what the client sent. */
  readonly changed: boolean;
  readonly stream: boolean;
  /** Most images that a response can hold. */
  readonly count: number;
  /** Number of partial images of a stream, which are billed too. */
  readonly partials: number;
  /** All text of the request. */
  readonly prompt: string;
  /** Number of reference images. */
  readonly references: number;
  readonly size: string | null;
  readonly quality: string | null;
  readonly seed: number | null;
  /** All other fields of the request, without media, for the library. */
  readonly parameters: ImageBody;
}

/** The model of a request, as rules and error messages need it. */
export interface RequestedModel {
  readonly id: string;
  readonly rules: ImageRules;
}

/** Fields that are not picture parameters, or that contain media. */
const NOT_PARAMETERS = new Set(["model", "prompt", "image", "user", "stream", "partial_images", "response_format"]);

/** The fields of a flat body that describe the picture. */
export function readParameters(body: ImageBody): ImageBody {
  return Object.fromEntries(Object.entries(body).filter(([name, value]) => !NOT_PARAMETERS.has(name) && value != null));
}

/** `body` without the fields that are null: "not given", which not every provider takes for the same. */
export function withoutNulls(body: ImageBody): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

/** Settings of the common format (docs/providers/openai.md#images) that neither Seedream nor Grok Imagine has. */
const COMMON_SETTINGS = ["background", "moderation", "output_compression", "partial_images", "style"] as const;

/**
 * Removes settings that only the common format has: its clients send them to any model, and a provider may refuse
 * unknown fields.
 * @param also further fields that the family lacks.
 */
export function withoutCommonSettings(body: ImageBody, also: readonly string[]): ImageBody {
  const left = new Set<string>([...COMMON_SETTINGS, ...also]);
  return Object.fromEntries(Object.entries(body).filter(([name]) => !left.has(name)));
}

/** @throws GatewayError if a stream is requested from a model whose provider does not stream. */
export function refuseStream(body: ImageBody, { id }: RequestedModel): void {
  if (body["stream"] === true) throw unsupportedStream(`the model "${id}"`);
}

/**
 * Creates the error for an image stream that no candidate supports. @param who name of the non-streaming provider in
 * the sentence
 */
export function unsupportedStream(who: string): GatewayError {
  return new GatewayError(
    "unsupported_value",
    `Unsupported value for 'stream': true; ${who} answers at once. Leave it out.`,
    { param: "stream" },
  );
}

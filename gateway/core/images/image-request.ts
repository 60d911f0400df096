import type { ImageFamily, ImageRules } from "./image-rules.ts";
import { GatewayError } from "../errors.ts";

export type ImageBody = Readonly<Record<string, unknown>>;

/** A request for images after its family's rules: what goes to the provider, and what is to be known of it here. */
export interface ImageRequest {
  /** Null: the common shape of a model that only its provider knows. */
  readonly family: ImageFamily | null;
  /** The completed request in the family's shape. */
  readonly body: ImageBody;
  /** Whether `body` says something else than what the client sent. */
  readonly changed: boolean;
  readonly stream: boolean;
  /** Most images that a response can hold. */
  readonly count: number;
  /** Unfinished images of a stream, which are billed too. */
  readonly partials: number;
  /** All text of the request. */
  readonly prompt: string;
  /** Images that the model is given to look at. */
  readonly references: number;
  readonly size: string | null;
  readonly quality: string | null;
  readonly seed: number | null;
  /** All other fields of the request, without media, for the library. */
  readonly parameters: ImageBody;
}

/** The model of a request, as its rules and its messages know it. */
export interface RequestedModel {
  readonly id: string;
  readonly rules: ImageRules;
}

/** Fields that say nothing about the picture, or hold media. */
const NOT_PARAMETERS = new Set(["model", "prompt", "image", "user", "stream", "partial_images", "response_format"]);

/** The fields of a flat body that describe the picture. */
export function readParameters(body: ImageBody): ImageBody {
  return Object.fromEntries(Object.entries(body).filter(([name, value]) => !NOT_PARAMETERS.has(name) && value != null));
}

/** `body` without the fields that are null: "not given", which not every provider takes for the same. */
export function withoutNulls(body: ImageBody): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

/** Settings of the common shape (docs/providers/openai.md#images) that neither Seedream nor Grok Imagine has. */
const COMMON_SETTINGS = ["background", "moderation", "output_compression", "partial_images", "style"] as const;

/**
 * `body` without what only the common shape has: clients of that shape send it to any model, and a provider may refuse
 * what it does not know.
 * @param also further fields that the family does not have.
 */
export function withoutCommonSettings(body: ImageBody, also: readonly string[]): ImageBody {
  const left = new Set<string>([...COMMON_SETTINGS, ...also]);
  return Object.fromEntries(Object.entries(body).filter(([name]) => !left.has(name)));
}

/** @throws GatewayError where a stream is asked of a model whose provider answers at once only. */
export function refuseStream(body: ImageBody, { id }: RequestedModel): void {
  if (body["stream"] === true) throw unsupportedStream(`the model "${id}"`);
}

/** The error for a stream of images that no one makes. @param who answers at once, as the sentence names it. */
export function unsupportedStream(who: string): GatewayError {
  return new GatewayError(
    "unsupported_value",
    `Unsupported value for 'stream': true; ${who} answers at once. Leave it out.`,
    { param: "stream" },
  );
}

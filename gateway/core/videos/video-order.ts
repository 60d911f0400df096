import type { VideoRequest } from "../../contract/videos.ts";

/**
 * How a model's requests are built, as its provider's adapter names it
 * (docs/specification.md#post-v1videosgenerations). `alpha-legacy`: 2.5 and 2.6; `alpha`: 2.7 and later; `sora`:
 * OpenAI's and compatible servers' `/v1/videos`.
 */
export type VideoFamily = string;

/** Source of a video; `any`: the family's models decide by the request. */
export type VideoKind = "t2v" | "i2v" | "r2v" | "edit" | "any";

/** The rules of a model in the catalog. */
export interface VideoRules {
  readonly family: VideoFamily;
  readonly kind: VideoKind;
  /** Accepted resolutions in our terms (`480p`, `720p`, `1080p`, …), smallest first. */
  readonly resolutions: readonly string[];
  /** Whole seconds: a list, or from the first to the second. */
  readonly durations: { readonly from: number; readonly to: number } | { readonly oneOf: readonly number[] };
  /** The family's image-to-video model, for client dialects that use one name for both. */
  readonly withImage?: string;
}

/** A checked request in its provider's format, with the facts for billing, library and pages. */
export interface VideoOrder {
  readonly family: VideoFamily;
  /** The body for the provider, without the model: `{input, parameters}`, or the flat body of Ark, xAI and Sora. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Billed unless the provider reports another figure. */
  readonly seconds: number;
  /** Seconds held before the provider is called; more than `seconds` if input videos are billed too. */
  readonly holdSeconds: number;
  readonly resolution: string;
  readonly ratio: string;
  readonly prompt: string;
  /** Other settings of the request, without media, for the library. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Max provider time in ms if the request sets it (Ark's `execution_expires_after`); else null. */
  readonly timeoutMs: number | null;
}

/** The model of an order. `rules` is null for models that only a provider's list names. */
export interface OrderedModel {
  readonly id: string;
  readonly rules: VideoRules | null;
  /** The family of the called provider, for models without rules. */
  readonly providerFamily: VideoFamily;
}

export type { VideoRequest };

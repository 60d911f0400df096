import type { UnitClass } from "../../contract/receipt.ts";
import type { EmbeddingRules } from "../embeddings/embedding-rules.ts";
import type { EditRules } from "../edits/edit-rules.ts";
import type { ImageRules } from "../images/image-rules.ts";
import type { SpeechRules } from "../speech/speech-rules.ts";
import type { TranscriptionRules } from "../transcription/transcription-rules.ts";
import type { VideoRules } from "../videos/video-order.ts";

/** A capability of a model; the `capabilities` of `GET /v1/models`. */
export type Capability =
  | "chat"
  | "messages"
  | "embedding"
  | "speech"
  | "transcription"
  /** Translation of speech in any language into English. */
  | "translation"
  | "image"
  | "image_edit"
  | "video"
  | "moderation";

/**
 * Prices from one prompt size upward, nano USD per 10⁶ units (so $2.50 per million tokens is 2_500_000_000). The whole
 * request is billed at the tier that its prompt size falls into (docs/providers/README.md#prices).
 */
export interface PriceTier {
  /** Applies to prompts of more than this many tokens; 0 for the first tier. */
  readonly above: number;
  readonly rates: Readonly<Partial<Record<UnitClass, number>>>;
}

/** Facts of a call that its price can depend on: `size` and `quality` of images, `resolution` of films. */
export type PriceFacts = Readonly<Record<string, string>>;

/** Kind of non-text content in a prompt. */
export type PromptMedium = "image" | "audio" | "video" | "file";

/** Hours of the day, on working days, in which all rates are multiplied. */
export interface PeakHours {
  readonly factor: number;
  /** UTC, from the first of the two to before the second. */
  readonly hours: readonly (readonly [from: number, to: number])[];
}

/** Rates that replace those of the first tier if all of these facts match. */
export interface PriceVariant {
  readonly when: PriceFacts;
  readonly rates: PriceTier["rates"];
}

export interface Price {
  /** Ascending by `above`; at least one. The first has the rates that apply without a variant. */
  readonly tiers: readonly PriceTier[];
  /** The first one whose facts match is used (`priceFor`). */
  readonly variants?: readonly PriceVariant[];
  /**
   * Multipliers of all rates if a provider served a call otherwise than usual, by fact and value: `{service_tier: {flex:
   * 0.5}}`. A value that is not named here has the highest factor of its kind.
   */
  readonly factors?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Applies regardless of the service tier: agreed prices, or free use. */
  readonly always?: true;
  /** Min billed seconds of audio per request. */
  readonly leastSeconds?: number;
  /** Media that are billed extra but missing in usage: calls with them are estimates. */
  readonly unmetered?: readonly PromptMedium[];
  /** Address of the price's source. */
  readonly source: string;
  /** The day it was true, `YYYY-MM-DD`. */
  readonly as_of: string;
  readonly peak?: PeakHours;
  /** First UTC day after its validity, `YYYY-MM-DD`; absent without a known end. */
  readonly until?: string;
  /** The price from that day on; absent: unpriced. */
  readonly next?: Price;
}

/** How a reasoning model differs from others on `/v1/chat/completions`. */
export interface Reasoning {
  /** The accepted `reasoning_effort` values; empty when they are not known here: then the provider decides. */
  readonly efforts: readonly string[];
  /**
   * gpt-5 family and o-series: sampling parameters are dropped in silence
   * (docs/specification.md#post-v1chatcompletions, rule 1).
   */
  readonly dropsSampling: boolean;
}

/** End of a model at its owner. */
export interface Retirement {
  /** `YYYY-MM-DD`. */
  readonly on: string;
  /** The id of the model to use instead. */
  readonly successor: string;
}

/** Known abilities of a model beyond text; an absent one is unknown, and is tried. */
export interface Abilities {
  /** Pictures in prompts. */
  readonly pictures?: boolean;
  /** PDF and other files in prompts. */
  readonly files?: boolean;
  /** Functions that it may call. */
  readonly tools?: boolean;
  /** Responses by a JSON schema. */
  readonly json_schema?: boolean;
  /** Web search as a tool of its provider. */
  readonly web_search?: boolean;
}

/** A model of the catalog. */
export interface ModelSpec {
  /** The public id, as `GET /v1/models` lists it. */
  readonly id: string;
  /** The owner: `openai`, `anthropic`, `google`, `xai`, `dashscope`, `ark`, `deepseek`, … */
  readonly owner: string;
  readonly displayName: string;
  /** Provider's own id, if it differs from `id`. */
  readonly upstreamId?: string;
  /** Other ids of this model. */
  readonly aliases: readonly string[];
  readonly capabilities: readonly Capability[];
  /** Tokens; null when unknown. */
  readonly contextLength: number | null;
  readonly maxOutput: number | null;
  /** Present for reasoning models. */
  readonly reasoning?: Reasoning;
  readonly abilities?: Abilities;
  /** Present for models that speak. */
  readonly speech?: SpeechRules;
  /** Present for transcription models. */
  readonly transcription?: TranscriptionRules;
  /** Present for models that make images. */
  readonly image?: ImageRules;
  /** Present for models that edit images. */
  readonly edit?: EditRules;
  /** Present for models that make videos. */
  readonly video?: VideoRules;
  /** Present for models that make embeddings. */
  readonly embedding?: EmbeddingRules;
  /** Present once its owner has shut it down: it is then served only by providers that still list it. */
  readonly retired?: Retirement;
  /** null: unpriced. */
  readonly price: Price | null;
  /** Unix seconds, for `created`. */
  readonly created: number;
}

/** Units by class; classes are disjoint. */
export type Units = Partial<Record<UnitClass, number>>;

/** The units of one prompt, and how the provider served it if that was not as usual. */
export interface Usage {
  readonly units: Units;
  /** Facts named as in `factors` of a price; absent: as usual. */
  readonly served?: PriceFacts;
  /** Nano USD that the provider says it charged for these units; absent if not reported. */
  readonly charged?: number;
  /** The price of another model that made them, as Anthropic's advisor; absent: that of the call's model. */
  readonly price?: Price | null;
}

/** The units that a call is billed by: one prompt's, or each of several prompts by itself. */
export type Billed = Units | readonly Usage[];

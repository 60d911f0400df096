import type { Capability, ModelSpec, Units } from "../core/models/model.ts";
import type { Scope } from "../core/attempts/breaker.ts";
import type { FieldRules } from "../core/keys/key-reach.ts";
import type { ProviderError } from "../core/attempts/provider-error.ts";
import type { DiscoveredModel } from "../core/models/discovered-model.ts";
import type { ResponseHeaders } from "../upstream/response-headers.ts";
import type { CreditAdapter } from "./credit.ts";
import type { EditsAdapter } from "./edits.ts";
import type { EmbeddingsAdapter } from "./embeddings.ts";
import type { ImagesAdapter } from "./images.ts";
import type { ModerationsAdapter } from "./moderations.ts";
import type { ProviderProfile } from "./profile.ts";
import type { SpeechAdapter } from "./speech.ts";
import type { TranscriptionsAdapter } from "./transcriptions.ts";
import type { VideosAdapter } from "./videos.ts";
import type { AllowedOutput, DialectCall, WireRequest } from "./wire-request.ts";

/** `chat.ts`, `messages.ts`, `responses.ts` of each provider: what goes out in that dialect, and how it counts usage. */
export interface DialectAdapter {
  /** Builds the provider's request. Chat streams always request usage; if the client did not, it is removed later. */
  toRequest(call: DialectCall, secret: string | null): WireRequest;
  /** Returns the limits of the request that `toRequest` makes of a call with a `bound`. */
  allows(call: DialectCall): AllowedOutput;
  /** Fields with effects beyond the model. */
  readonly reaches: FieldRules;
  /**
   * Returns the min prompt tokens that the provider caches for marks of this dialect (`cache_control`); null for models
   * without caching. Absent if the dialect has no marks.
   */
  cachesFrom?(upstreamModel: string): number | null;
  /** Returns the min prompt tokens that the provider caches without marks. Absent if it is unknown. */
  cachesUnmarkedFrom?(upstreamModel: string): number;
  /** The provider's `usage` object as disjoint classes of units; null when it holds no usable figure. */
  toUnits(usage: unknown): Units | null;
}

/** `messages.ts`, `responses.ts` and `gemini.ts`: dialects whose owners also count tokens before a call. */
export interface CountingAdapter extends DialectAdapter {
  /** Asks for the count, which is free of charge. */
  toCountRequest(call: DialectCall, secret: string | null): WireRequest;
}

/** Decides which chat requests a provider only accepts in OpenAI's Responses dialect. */
export interface ResponsesForChat {
  readonly adapter: DialectAdapter;
  /** @param body of the chat request, after the rules. @param baseUrl of the connection */
  isNeeded(body: Readonly<Record<string, unknown>>, upstreamModel: string, baseUrl: string): boolean;
}

/** `models.ts`: fetches the provider's model list. */
export interface ModelsAdapter {
  toRequest(secret: string | null): WireRequest;
  /** @returns null when the response is not a list of models. */
  fromResponse(body: unknown): readonly DiscoveredModel[] | null;
  /**
   * Kinds for which the provider's list is complete: models missing there are unavailable to the account. Absent: none.
   */
  readonly whole?: readonly Capability[];
}

/** `errors.ts`: reads the provider's error envelope. */
export interface ErrorsAdapter {
  /** `body` is the parsed JSON; null if it is not JSON. Never throws. */
  fromResponse(status: number, headers: ResponseHeaders, body: unknown): ProviderError;
  /**
   * Detects a refusal inside a response: a blocked prompt, or filtered images. Called if a response with status 200 has
   * no requested content.
   * @returns null if it is not a refusal. Absent for providers that refuse by status or error envelope only.
   */
  inResponse?(body: unknown): ProviderError | null;
}

/** Dialects of conversation that a provider may speak. */
export type SpokenDialect = "chat" | "messages" | "responses" | "gemini" | "completions";

/**
 * `provider.ts`: one upstream protocol. Each folder has `profile.ts`, `catalog.ts`, `provider.ts`, `errors.ts`, and one file
 * for each thing that the provider can do, which exports a constant of the file's name; null for what it cannot do.
 */
export interface Provider extends ProviderProfile {
  /** Models of its owners and guests, with their rules and prices; the most popular of each kind first. */
  readonly catalog: readonly ModelSpec[];
  /** Normalizes the base URL: no trailing slash, exactly one version segment. `url` has passed `new URL`. */
  normalizeBaseUrl(url: URL): string;
  /** Null if the provider has no list: its models are then those of the catalog. */
  readonly models: ModelsAdapter | null;
  readonly errors: ErrorsAdapter;
  /** Returns how a server at this host reports a key's credit; undefined if it does not. Absent: none does. */
  findCredit?(host: string): CreditAdapter | undefined;
  /** Scope of a 429: each model has its own limits, or the key has limits for all models. */
  readonly rateScope: Scope;
  /** Whether it serves a model in a dialect. Absent: each model in all of its dialects. */
  speaks?(dialect: SpokenDialect, upstreamModel: string): boolean;
  readonly chat: DialectAdapter | null;
  readonly messages: CountingAdapter | null;
  readonly responses: CountingAdapter | DialectAdapter | null;
  /** Google's own dialect; absent everywhere else. */
  readonly gemini?: CountingAdapter;
  /** OpenAI's API before chat; absent where completions are reached by chat. */
  readonly completions?: DialectAdapter;
  /** Absent if every chat request can be sent as one. */
  readonly responsesForChat?: ResponsesForChat;
  readonly embeddings: EmbeddingsAdapter | null;
  readonly speech: SpeechAdapter | null;
  readonly images: ImagesAdapter | null;
  readonly edits: EditsAdapter | null;
  readonly videos: VideosAdapter | null;
  readonly transcriptions: TranscriptionsAdapter | null;
  readonly moderations: ModerationsAdapter | null;
}

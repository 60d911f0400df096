import type { Capability, ModelSpec, Units } from "../core/models/model.ts";
import type { Scope } from "../core/attempts/breaker.ts";
import type { FieldRules } from "../core/keys/key-reach.ts";
import type { ProviderError } from "../core/attempts/provider-error.ts";
import type { DiscoveredModel } from "../core/models/discovered-model.ts";
import type { ResponseHeaders } from "../upstream/response-headers.ts";
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
  /** Makes the provider's request. Chat streams always ask for usage: what the client did not ask for is taken out later. */
  toRequest(call: DialectCall, secret: string | null): WireRequest;
  /** Returns the limits of the request that `toRequest` makes of a call with a `bound`. */
  allows(call: DialectCall): AllowedOutput;
  /** Fields of a request that reach further than its model. */
  readonly reaches: FieldRules;
  /**
   * Returns the prompt tokens from which the provider caches what is marked in this dialect (`cache_control`); null for
   * models at which it does not. Missing if nothing can be marked.
   */
  cachesFrom?(upstreamModel: string): number | null;
  /** The provider's `usage` object as disjoint classes of units; null when it holds no usable figure. */
  toUnits(usage: unknown): Units | null;
}

/** `messages.ts` and `gemini.ts`: dialects of Anthropic and Google, which also count tokens before a call. */
export interface CountingAdapter extends DialectAdapter {
  /** Asks for the count, which is free of charge. */
  toCountRequest(call: DialectCall, secret: string | null): WireRequest;
}

/** Chat requests that a provider takes in OpenAI's Responses dialect alone. */
export interface ResponsesForChat {
  readonly adapter: DialectAdapter;
  /** @param body of the chat request, after the rules. @param baseUrl of the connection */
  isNeeded(body: Readonly<Record<string, unknown>>, upstreamModel: string, baseUrl: string): boolean;
}

/** `models.ts`: asks what the provider serves. */
export interface ModelsAdapter {
  toRequest(secret: string | null): WireRequest;
  /** @returns null when the response is not a list of models. */
  fromResponse(body: unknown): readonly DiscoveredModel[] | null;
  /** Kinds of which the provider's own list is whole: what is missing there, the account does not have. Absent: none. */
  readonly whole?: readonly Capability[];
}

/** `errors.ts`: reads the provider's error envelope. */
export interface ErrorsAdapter {
  /** `body` is the parsed JSON; null if it is not JSON. Never throws. */
  fromResponse(status: number, headers: ResponseHeaders, body: unknown): ProviderError;
  /**
   * A refusal in the shape of a response: a prompt that was blocked, images that were all filtered. Asked where a response
   * that said 200 holds nothing of what was asked for.
   * @returns null when it is no refusal. Missing at providers that refuse by status or error envelope only.
   */
  inResponse?(body: unknown): ProviderError | null;
}

/**
 * `provider.ts`: one upstream protocol. Each folder has `profile.ts`, `catalog.ts`, `provider.ts`, `errors.ts`, and one file
 * for each thing that the provider can do, which exports a constant of the file's name; null for what it cannot do.
 */
export interface Provider extends ProviderProfile {
  /** Models of its owners, and of its guests, with what they accept and cost; the most wanted of each kind first. */
  readonly catalog: readonly ModelSpec[];
  /** Normalizes the base URL: no trailing slash, exactly one version segment. `url` has passed `new URL`. */
  normalizeBaseUrl(url: URL): string;
  /** Null where the provider has no list: its models are those of the catalog. */
  readonly models: ModelsAdapter | null;
  readonly errors: ErrorsAdapter;
  /** Scope of a 429: each model has its own limits, or the key has limits for all models. */
  readonly rateScope: Scope;
  readonly chat: DialectAdapter | null;
  readonly messages: CountingAdapter | null;
  readonly responses: DialectAdapter | null;
  /** Google's own dialect; absent everywhere else. */
  readonly gemini?: CountingAdapter;
  /** Absent where every chat request can be sent as one. */
  readonly responsesForChat?: ResponsesForChat;
  readonly embeddings: EmbeddingsAdapter | null;
  readonly speech: SpeechAdapter | null;
  readonly images: ImagesAdapter | null;
  readonly edits: EditsAdapter | null;
  readonly videos: VideosAdapter | null;
  readonly transcriptions: TranscriptionsAdapter | null;
  readonly moderations: ModerationsAdapter | null;
}

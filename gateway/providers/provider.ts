import type { ModelSpec, Units } from "../core/models/model.ts";
import type { Scope } from "../core/attempts/breaker.ts";
import type { FieldRules } from "../core/keys/key-reach.ts";
import type { ProviderError } from "../core/attempts/provider-error.ts";
import type { DiscoveredModel } from "../core/models/discovered-model.ts";
import type { ResponseHeaders } from "../upstream/transfer.ts";
import type { EditsAdapter } from "./edits.ts";
import type { EmbeddingsAdapter } from "./embeddings.ts";
import type { ImagesAdapter } from "./images.ts";
import type { ProviderProfile } from "./profile.ts";
import type { SpeechAdapter } from "./speech.ts";
import type { VideosAdapter } from "./videos.ts";

/** What a provider file makes of a call: method, path below the base URL, headers and body. Nothing is sent here. */
export interface WireRequest {
  readonly method: "GET" | "POST" | "DELETE";
  /** Begins with `/`; appended to the base URL's path. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Pieces are sent one behind the other, so that large files need not be copied; their length is in the headers. */
  readonly body: Buffer | readonly Buffer[] | string | null;
}

/** A call in a dialect of conversation that the provider speaks itself. */
export interface DialectCall {
  /** The client's own bytes; null where the call was translated into this dialect. */
  readonly raw: Buffer | null;
  /** The same, parsed, after the parameter rules; or the translation. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Whether `body` says something else than `raw`. */
  readonly changed: boolean;
  /** The id that the provider knows the model by. */
  readonly upstreamModel: string;
  /** Null for models that are known only from the provider's list. */
  readonly model: ModelSpec | null;
  readonly stream: boolean;
  /** Headers of the client that belong to its dialect (`anthropic-version`, `anthropic-beta`); lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Scheme, host and port of the provider. */
  readonly origin: string;
  /**
   * Output tokens that there is money for, for each response: the request bounds its answers by as many, or by fewer where
   * it asked for fewer, in words that the provider obeys; Infinity where any number is paid for. Null: no limit of money
   * applies, and the request stays as its client wrote it.
   */
  readonly bound: number | null;
}

/** What a request lets its provider write. Reasoning is output too. */
export interface AllowedOutput {
  /**
   * Output tokens of one response at most. Null: nothing in the request bounds them, so the model's own maximum does.
   * Infinity: not even that does, as the provider counts reasoning beside it.
   */
  readonly perChoice: number | null;
  /** Answers to one prompt. */
  readonly choices: number;
  /** The lowest `bound` that the request can be sent with. */
  readonly least: number;
}

/** `chat.ts`, `messages.ts`, `responses.ts` of each provider: what goes out in that dialect, and how it counts usage. */
export interface DialectAdapter {
  /** Makes the provider's request. Chat streams always ask for usage: what the client did not ask for is taken out later. */
  toRequest(call: DialectCall, secret: string | null): WireRequest;
  /** What the request that `toRequest` makes of a call with a `bound` allows. */
  allows(call: DialectCall): AllowedOutput;
  /** Fields of a request that reach further than its model. */
  readonly reaches: FieldRules;
  /** The provider's `usage` object as disjoint classes of units; null when it holds no usable figure. */
  toUnits(usage: unknown): Units | null;
}

/** `messages.ts`: Anthropic's dialect, which also counts tokens before a call. */
export interface MessagesAdapter extends DialectAdapter {
  /** `POST …/count_tokens`; free of charge. */
  toCountRequest(call: DialectCall, secret: string | null): WireRequest;
}

/** `models.ts`: asks what the provider serves. */
export interface ModelsAdapter {
  toRequest(secret: string | null): WireRequest;
  /** @returns null when the response is not a list of models. */
  fromResponse(body: unknown): readonly DiscoveredModel[] | null;
}

/** `errors.ts`: reads the provider's error envelope. */
export interface ErrorsAdapter {
  /** `body` is the parsed JSON; null where it is none. Never throws. */
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
  /** The base URL put right: no trailing slash, the version segment there once. `url` has passed `new URL`. */
  normalizeBaseUrl(url: URL): string;
  /** Null where the provider has no list: its models are those of the catalog. */
  readonly models: ModelsAdapter | null;
  readonly errors: ErrorsAdapter;
  /** What its 429 holds for: each model has limits of its own, or the key has them for all. */
  readonly rateScope: Scope;
  readonly chat: DialectAdapter | null;
  readonly messages: MessagesAdapter | null;
  readonly responses: DialectAdapter | null;
  readonly embeddings: EmbeddingsAdapter | null;
  readonly speech: SpeechAdapter | null;
  readonly images: ImagesAdapter | null;
  readonly edits: EditsAdapter | null;
  readonly videos: VideosAdapter | null;
}

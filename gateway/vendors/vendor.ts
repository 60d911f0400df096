import type { VendorId } from "../contract/connection.ts";
import type { ModelSpec, Units } from "../core/model.ts";
import type { VendorError } from "../core/vendor-error.ts";
import type { DiscoveredModel } from "../core/discovered-model.ts";

/** What a vendor file makes of a call: method, path below the base URL, headers and body. Nothing is sent here. */
export interface WireRequest {
  readonly method: "GET" | "POST";
  /** Begins with `/`; appended to the base URL's path. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string | null;
}

/** A chat completion as the client sent it. */
export interface ChatCall {
  /** The client's own bytes. */
  readonly raw: Buffer;
  /** The same, parsed, after the parameter rules. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Whether `body` says something else than `raw`. */
  readonly changed: boolean;
  /** The id that the vendor knows the model by. */
  readonly upstreamModel: string;
  /** Null for models that are known only from the vendor's list. */
  readonly model: ModelSpec | null;
  readonly stream: boolean;
}

/** `chat.ts` of each vendor: pure translations between our dialect and the vendor's. */
export interface ChatAdapter {
  /** Makes the vendor's request. Streams always ask for usage: what the client did not ask for is taken out later. */
  toRequest(call: ChatCall, secret: string | null): WireRequest;
  /** The vendor's `usage` object as disjoint classes of units; null when it holds no usable figure. */
  toUnits(usage: unknown): Units | null;
}

/** `models.ts`: asks what the vendor serves. */
export interface ModelsAdapter {
  toRequest(secret: string | null): WireRequest;
  /** @returns null when the answer is not a list of models. */
  fromResponse(body: unknown): readonly DiscoveredModel[] | null;
}

/** `errors.ts`: reads the vendor's error envelope. */
export interface ErrorsAdapter {
  /** `body` is the parsed JSON, or the text where it is none. Never throws. */
  fromResponse(
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
    body: unknown,
  ): VendorError;
}

/** `vendor.ts`: one upstream protocol. */
export interface Vendor {
  readonly id: VendorId;
  readonly label: string;
  /** Null where every owner has another one. */
  readonly defaultBaseUrl: string | null;
  /** The base URL put right: no trailing slash, the version segment there once. `url` has passed `new URL`. */
  normalizeBaseUrl(url: URL): string;
  readonly chat: ChatAdapter;
  readonly models: ModelsAdapter;
  readonly errors: ErrorsAdapter;
}

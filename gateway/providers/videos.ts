import type { VideoRequest } from "../contract/videos.ts";
import type { OrderedModel, VideoFamily, VideoOrder } from "../core/videos/video-order.ts";
import type { FieldRules } from "../core/keys/key-reach.ts";
import type { ModelSpec } from "../core/models/model.ts";
import type { ListedTask } from "../core/tasks/task-match.ts";
import type { WireRequest } from "./wire-request.ts";

/** A checked order to be sent to a provider. */
export interface VideoCall {
  /** `VideoOrder.body`: the provider's own format, without the model. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly upstreamModel: string;
  /** Null for models that are known only from the provider's list. */
  readonly model: ModelSpec | null;
}

/** Identifies a task at its provider. Plain JSON, stored with the task. */
export interface VideoOperation {
  /** The provider's id of the task. */
  readonly id: string;
}

/** A finished video, as reported by the provider. */
export interface VideoResult {
  /** Null if the file has no URL (`toContentRequest` then fetches it). */
  readonly url: string | null;
  readonly lastFrameUrl: string | null;
  /** Billed seconds, with fractions; null if not reported. */
  readonly seconds: number | null;
  /** Resolution in our terms (`720p`); null if the provider does not report it. */
  readonly resolution: string | null;
  readonly seed: number | null;
  /** The provider's own usage object; empty if it is missing. */
  readonly usage: Readonly<Record<string, unknown>>;
}

/** A provider's state of a task (docs/providers/README.md#video-task-states). */
export type VideoState =
  | { readonly state: "queued" | "running"; readonly progress: number | null }
  | { readonly state: "succeeded"; readonly result: VideoResult }
  | { readonly state: "failed"; readonly code: string; readonly message: string }
  | { readonly state: "cancelled" }
  /** The provider gave the task up itself. */
  | { readonly state: "expired" }
  /** The provider does not know the task: it is too old, or not yet replicated. */
  | { readonly state: "absent" };

/** The provider's task list, used to find a submission without a response. */
export interface VideoListing {
  /** Tasks of one model, created between two moments (Unix ms). */
  toRequest(query: VideoListQuery, secret: string | null): WireRequest;
  /** @returns null if the response is not such a list. `next`: start of the next page; null on the last page. */
  fromResponse(
    body: unknown,
    query: VideoListQuery,
  ): { readonly tasks: readonly ListedTask[]; readonly next: string | null } | null;
}

export interface VideoListQuery {
  readonly upstreamModel: string;
  readonly from: number;
  readonly to: number;
  /** Which page, in the provider's own terms, as the page before named it; null for the first one. */
  readonly page: string | null;
}

/** A status request for several tasks, if the provider's list has the same facts as a request for a single task. */
export interface VideoBatch {
  /** Tasks in one question. */
  readonly most: number;
  toRequest(operations: readonly VideoOperation[], secret: string | null): WireRequest;
  /** @returns the task bodies in the response, by task id; null if it is not a list */
  fromResponse(body: unknown): ReadonlyMap<string, unknown> | null;
}

/** How often a provider may be polled, and how long it keeps a task. Milliseconds. */
export interface VideoPace {
  /** Time between the submission and the first status request. */
  readonly first: number;
  /** Milliseconds between polls while a client waits for the task. */
  readonly watched: number;
  /** Between two questions otherwise. */
  readonly usual: number;
  /** Between two questions about any tasks of one account. */
  readonly gap: number;
  /** Default timeout of a task, unless its request sets one. */
  readonly timeouts: number;
  /** Time after which the provider has deleted the task, whatever its state. */
  readonly memory: number;
}

/** Rules of a family of models. */
export interface VideoFamilyRules {
  /** Returns the order like `videoOrder` (video-families.ts), for models of this family. */
  order(request: VideoRequest, body: Readonly<Record<string, unknown>>, model: OrderedModel): VideoOrder;
  /** Whether its provider supports a seed. */
  readonly hasSeed: boolean;
}

/** `videos.ts` of a provider. It does not poll: `submit` returns an operation, `status` a state. */
export interface VideosAdapter {
  /** Model families whose requests it checks, by catalog name. */
  readonly families: Readonly<Record<string, VideoFamilyRules>>;
  /** Family used for models outside the catalog. */
  readonly unlisted: VideoFamily;
  /** Fields with effects beyond the model; absent if there are no such fields. */
  readonly reaches?: FieldRules;
  readonly pace: VideoPace;
  toRequest(call: VideoCall, secret: string | null): WireRequest;
  /** @returns null when the response names no task. */
  fromResponse(body: unknown): VideoOperation | null;
  toStatusRequest(operation: VideoOperation, secret: string | null): WireRequest;
  /**
   * @param status HTTP status: 2xx, or 404 if the provider uses it for tasks.
   * @param body parsed JSON; undefined without JSON (xAI's 202 is empty).
   * @returns null if it is not a task response; it is then read as an error.
   */
  toState(status: number, body: unknown): VideoState | null;
  /**
   * Tells whether a response is about another task, because a cache or proxy mixed up responses. It then says nothing
   * about this task; another user's video must not become its result.
   */
  isAnother(operation: VideoOperation, body: unknown): boolean;
  /** Null if this provider cannot cancel tasks. A 2xx response means success. */
  readonly toCancelRequest: ((operation: VideoOperation, secret: string | null) => WireRequest) | null;
  /** Null if the provider has no list. */
  readonly listing: VideoListing | null;
  /** Null if tasks are polled individually. */
  readonly batch: VideoBatch | null;
  /** Fetches a finished video that has no URL; null if it always has one. */
  readonly toContentRequest: ((operation: VideoOperation, secret: string | null) => WireRequest) | null;
}

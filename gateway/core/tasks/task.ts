import type { Receipt } from "../../contract/receipt.ts";
import type { TaskStatus } from "../../contract/videos.ts";
import type { SentIdentity } from "../sessions/identity.ts";
import type { Price } from "../models/model.ts";
import { requestedSeed } from "../videos/video-seed.ts";

/**
 * A video task, as the store keeps it. Records are immutable; `core/task-changes.ts` makes the next one. Money is nano
 * USD, times are Unix milliseconds.
 */
export interface TaskRecord extends SentIdentity {
  /** `vt_` and a ULID. */
  readonly id: string;
  readonly phase: TaskPhase;
  /** Id of the local key. */
  readonly key: string;
  readonly request_id: string;
  readonly client: string;
  /** Public model id. */
  readonly model: string;
  /** The provider's name in `x-postern-provider`. */
  readonly provider: string;
  readonly connection: string;
  /** Hint of the connection's key that submitted it. Another account cannot see it. */
  readonly credential: string;
  /** The provider's model id, by which a lost task is searched. */
  readonly upstream_model: string;
  readonly sandbox: boolean;
  readonly created_at: number;
  readonly updated_at: number;
  /** When it ended; null while it runs. */
  readonly finished_at: number | null;
  readonly order: TaskOrder;
  readonly webhook_url: string | null;
  readonly idempotency: { readonly key: string; readonly hash: string } | null;
  readonly hold_nano: number;
  readonly price: Price | null;
  /** The provider's task id; null until the provider has returned one. */
  readonly operation: { readonly id: string } | null;
  readonly progress: number | null;
  /** The provider's last body about it, verbatim; null before the first. */
  readonly native: unknown;
  /** The provider's output; present from the provider's success on. */
  readonly result: TaskResult | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  /**
   * The charge, written with the transition that decides it, so that a crash charges exactly once: `counted` tells
   * whether the receipt is certainly in the usage log.
   */
  readonly bill: { readonly receipt: Receipt; readonly counted: boolean } | null;
  /** Time after which it is `failed` with the code `timeout`, unless the provider still succeeds. */
  readonly deadline_at: number;
  /** Time after which the provider has deleted it. */
  readonly forgotten_at: number;
  /** Time when its client deleted it; from then on only the pages show it. */
  readonly deleted_at: number | null;
  readonly timeline: readonly TaskMoment[];
  readonly deliveries: readonly TaskDelivery[];
}

/**
 * `submitting`: on its way to the provider. `unknown`: sent, and its arrival is not known. `submitted`, `running`: the
 * provider has it. `fetching`: it is made and billed; its file is being saved. Then one of the last three. A timeout is
 * `failed`, and its verdict is still polled for while `bill` is null.
 */
export type TaskPhase =
  | "submitting"
  | "unknown"
  | "submitted"
  | "running"
  | "fetching"
  | "succeeded"
  | "failed"
  | "cancelled";

export interface TaskOrder {
  readonly seconds: number;
  readonly resolution: string;
  readonly ratio: string;
  readonly prompt: string;
  readonly seed: number | null;
  /**
   * The client's body, for repeating and displaying it. Inline media (`data:` URLs) are not stored but replaced by
   * `data:…;omitted,<bytes>`, and `repeatable` is false.
   */
  readonly request: Readonly<Record<string, unknown>>;
  readonly repeatable: boolean;
  /** Other settings without media, shown in the library. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface TaskResult {
  readonly video_url: string | null;
  readonly last_frame_url: string | null;
  /** Billed seconds. */
  readonly seconds: number;
  readonly resolution: string;
  readonly seed: number | null;
  /** The provider's own usage object. */
  readonly usage: Readonly<Record<string, unknown>>;
  /** Ids in the media library: chosen with the result, so that a restart fetches into the same entries. */
  readonly video_media: string;
  readonly last_frame_media: string | null;
  /** Whether the video is in the library; false: it is not, and will not be. Null: not yet. */
  readonly saved: boolean | null;
}

/** A line of what happened, for people. */
export interface TaskMoment {
  readonly at: number;
  readonly phase: TaskPhase;
  /** A sentence for the user, if the phase alone is not enough. */
  readonly note: string | null;
}

/** A webhook delivery and its state. */
export interface TaskDelivery {
  /** `webhook-id`: the same in every attempt. */
  readonly id: string;
  readonly type: "video.task.succeeded" | "video.task.failed" | "video.task.cancelled";
  /** When the task ended so. */
  readonly at: number;
  readonly url: string;
  readonly state: "pending" | "delivered" | "failed" | "disabled";
  /** Time of the next attempt; null without one. */
  readonly next_at: number | null;
  readonly attempts: readonly DeliveryAttempt[];
}

export interface DeliveryAttempt {
  readonly at: number;
  /** HTTP status; null when there was no response. */
  readonly status: number | null;
  readonly ms: number;
  /** Why it is no delivery; null when it is one. */
  readonly error: string | null;
  /** Whether it was requested manually. */
  readonly manual: boolean;
}

/** Statuses for clients. The saving of the file belongs to the making of it. */
const STATUS: Readonly<Record<TaskPhase, TaskStatus>> = {
  submitting: "submitted",
  unknown: "unknown",
  submitted: "submitted",
  running: "running",
  fetching: "running",
  succeeded: "succeeded",
  failed: "failed",
  cancelled: "cancelled",
};

/**
 * Returns the client's status. A success after a timeout stays failed until its file is stored, because states never go
 * back.
 */
export const getStatus = ({ phase, error }: Pick<TaskRecord, "phase" | "error">): TaskStatus =>
  phase === "fetching" && error !== null ? "failed" : STATUS[phase];

/** Whether a status is final for clients. */
export const isFinal = (status: TaskStatus): boolean =>
  status === "succeeded" || status === "failed" || status === "cancelled";

/** Returns the id that clients see: Ark's own task id if there is one (docs/specification.md#video). */
export const publicId = ({ id, operation }: Pick<TaskRecord, "id" | "operation">): string =>
  operation !== null && operation.id.startsWith("cgt-") ? operation.id : id;

/**
 * Returns the seed of the video: the provider's, else the request's, else null. Records of earlier versions cover fewer
 * places of a request.
 */
export const getSeed = ({ result, order, model }: Pick<TaskRecord, "result" | "order" | "model">): number | null =>
  result?.seed ?? order.seed ?? requestedSeed(order.request, model);

/** Whether it has ended for its client. */
export const isOver = ({ phase }: Pick<TaskRecord, "phase">): boolean => isFinal(STATUS[phase]);

/** Tells whether the task has reached its final state, so that it may leave the document. */
export const isClosed = (task: TaskRecord): boolean =>
  isOver(task) &&
  task.bill?.counted === true &&
  (task.result === null || task.result.saved !== null) &&
  task.deliveries.every(({ state }) => state !== "pending");

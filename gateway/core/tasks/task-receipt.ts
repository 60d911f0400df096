import type { Outcome, Receipt } from "../../contract/receipt.ts";
import type { TaskRecord } from "./task.ts";
import { identityFrom, selectSentFields } from "../sessions/identity.ts";
import { shortenSentence } from "../errors.ts";
import { choosePrice, priceUnits } from "../money/price.ts";
import { videoUnits } from "../videos/video-cost.ts";

/** Financial outcome of a task. */
export interface TaskEnd {
  readonly outcome: Outcome;
  /** HTTP status that its submission was answered with: 202 for every task that the provider took. */
  readonly status: number;
  readonly code: string | null;
  /** Failure message without secrets; absent if it succeeded or none was given. */
  readonly message?: string;
  /** Seconds that the provider bills, or may bill; 0 if it surely made nothing. */
  readonly seconds: number;
  readonly resolution: string;
  /** The provider reported no duration: the ordered one is billed. */
  readonly estimated: boolean;
  /** Nano USD that the provider says it charged; null or absent if not reported. */
  readonly charged?: number | null;
}

/**
 * Billing of a task without a video. `failed`: it is free. `disowned`: its provider should know it and does not, so it
 * is most likely free. `unknown`: the provider may have made and billed it.
 */
export type WithoutVideo = "failed" | "disowned" | "unknown";

/** Ends a task without a video. Possible output is billed as ordered, as an estimate. */
export function endWithoutVideo(
  { order }: TaskRecord,
  how: WithoutVideo,
  { code, message }: Pick<TaskEnd, "message"> & { readonly code: string },
): TaskEnd {
  const failed = code === "cancelled" ? code : "failed";
  const outcome = how === "failed" ? failed : "unknown";
  const seconds = how === "unknown" ? order.seconds : 0;
  const estimated = outcome === "unknown";
  const messageField = message === undefined ? {} : { message };
  return { outcome, status: 202, code, ...messageField, seconds, resolution: order.resolution, estimated };
}

/** Builds the receipt of a task. It is created once, with the transition that ends the task, and stored in it. */
export function taskReceipt(task: TaskRecord, end: TaskEnd, now: number): Receipt {
  const price = task.price === null ? null : choosePrice(task.price, { resolution: end.resolution });
  const units = end.seconds > 0 ? videoUnits(end.seconds) : {};
  const { charged = null } = end;
  const priced = priceUnits(charged === null ? units : [{ units, charged }], price);
  return {
    id: task.request_id,
    at: now,
    key: task.key,
    endpoint: "videos",
    model: task.model,
    provider: task.provider,
    connection: task.connection,
    client: task.client,
    status: end.status,
    code: end.code,
    ...(end.message === undefined ? {} : { message: shortenSentence(end.message) }),
    outcome: end.outcome,
    stream: false,
    ms: Math.max(0, now - task.created_at),
    first_ms: null,
    sandbox: task.sandbox,
    estimated: charged === null && end.estimated,
    terms: priced.terms,
    nano: priced.nano,
    price: priced.price,
    ...selectSentFields(identityFrom(task)),
  };
}

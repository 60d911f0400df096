import type { Outcome, Receipt, ReceiptTerm } from "../../contract/receipt.ts";
import type { TaskRecord } from "./task.ts";
import { priceFor, priceUnits } from "../money/price.ts";
import { videoUnits } from "../videos/video-cost.ts";

/** How a task ended, as far as money goes. */
export interface TaskEnd {
  readonly outcome: Outcome;
  /** HTTP status that its submission was answered with: 202 for every task that the vendor took. */
  readonly status: number;
  readonly code: string | null;
  /** What the vendor bills; 0 for all but a success. */
  readonly seconds: number;
  readonly resolution: string;
  /** The vendor named no length: what was ordered is billed. */
  readonly estimated: boolean;
}

/** A task that brought no video costs nothing, or nobody knows what. */
export function nothingBilled({ order }: TaskRecord, outcome: "failed" | "unknown", code: string): TaskEnd {
  return { outcome, status: 202, code, seconds: 0, resolution: order.resolution, estimated: outcome === "unknown" };
}

/** The receipt of a task. It is made once, with the change that ends the task, and kept in it. */
export function taskReceipt(task: TaskRecord, end: TaskEnd, now: number): Receipt {
  const price = task.price === null ? null : priceFor(task.price, { resolution: end.resolution });
  const units = end.seconds > 0 ? videoUnits(end.seconds) : {};
  const priced = price === null ? null : priceUnits(units, price);
  return {
    id: task.request_id,
    at: now,
    key: task.key,
    endpoint: "videos",
    model: task.model,
    vendor: task.vendor,
    connection: task.connection,
    client: task.client,
    status: end.status,
    code: end.code,
    outcome: end.outcome,
    stream: false,
    ms: Math.max(0, now - task.created_at),
    first_ms: null,
    sandbox: task.sandbox,
    estimated: end.estimated,
    terms: priced === null ? unpriced(end.seconds) : [...priced.terms],
    nano: end.seconds > 0 ? (priced?.nano ?? null) : 0,
    price: price === null ? null : { source: price.source, as_of: price.as_of },
  };
}

function unpriced(seconds: number): ReceiptTerm[] {
  return seconds > 0 ? [{ unit: "second", quantity: seconds, nano_per_million: 0, nano: 0 }] : [];
}

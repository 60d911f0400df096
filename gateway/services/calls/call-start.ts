import type { Outcome, Receipt } from "../../contract/receipt.ts";
import type { Masks } from "../../lib/masks.ts";
import type { Billed } from "../../core/models/model.ts";
import type { Identity } from "../../core/sessions/identity.ts";

/** Facts of a call that are known from its start. */
export interface CallStart {
  readonly requestId: string;
  /** Monotonic milliseconds. */
  readonly arrivedAt: number;
  readonly keyId: string;
  readonly endpoint: string;
  readonly model: string;
  /** Name of the app, as receipts have it. */
  readonly app: string;
  readonly identity: Identity;
  readonly stream: boolean;
  /**
   * Whether a separate record holds the outcome after a crash (video tasks), so that the call leaves no other trace.
   */
  readonly recorded: boolean;
  /** Masks of the secrets in its requests; null if none are masked. */
  readonly masks: Pick<Masks, "count"> | null;
  /** Told the receipt as it is booked. */
  readonly settled: (receipt: Receipt) => void;
}

/** How a call ended. */
export interface CallEnd {
  readonly outcome: Outcome;
  readonly status: number;
  readonly code: string | null;
  /** Sentence of the error as receipts have it; absent without an error. */
  readonly message?: string;
  readonly units: Billed;
  readonly estimated: boolean;
}

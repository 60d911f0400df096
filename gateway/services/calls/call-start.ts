import type { Outcome, Receipt } from "../../contract/receipt.ts";
import { clientName } from "../../core/keys/client-name.ts";
import type { Billed } from "../../core/models/model.ts";
import type { Identity } from "../../core/sessions/identity.ts";
import { BoundedMap } from "../../lib/bounded-map.ts";

const names = new BoundedMap<string, string>(500);
/** Longest User-Agent that is remembered: real ones are shorter. */
const LONGEST_REMEMBERED = 200;

/** Reads a client's name from its User-Agent, once for each. */
export function knownClientName(userAgent: string): string {
  let name = names.get(userAgent);
  if (name === undefined) {
    name = clientName(userAgent);
    if (userAgent.length <= LONGEST_REMEMBERED) names.set(userAgent, name);
  }
  return name;
}

/** Facts of a call that are known from its start. */
export interface CallStart {
  readonly requestId: string;
  /** Monotonic milliseconds. */
  readonly arrivedAt: number;
  readonly keyId: string;
  readonly endpoint: string;
  readonly model: string;
  readonly userAgent: string;
  readonly identity: Identity;
  readonly stream: boolean;
  /** Whether a record of its own says after a crash what became of it (video tasks): then it leaves no other trace. */
  readonly recorded: boolean;
  /** Told the receipt as it is booked. */
  readonly settled: (receipt: Receipt) => void;
}

/** How a call ended. */
export interface CallEnd {
  readonly outcome: Outcome;
  readonly status: number;
  readonly code: string | null;
  readonly units: Billed;
  readonly estimated: boolean;
}

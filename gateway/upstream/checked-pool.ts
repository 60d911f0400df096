import { Pool } from "undici";
import type { UpstreamFailure } from "./failure.ts";
import { lookupOf } from "./targets.ts";
import type { Resolve } from "./targets.ts";

const CONNECT_TIMEOUT_MS = 5_000;

/** A checked URL. */
export interface CheckedUrl {
  readonly url: URL;
  /** Whether a connection to this address (an IP literal) may be made for it. */
  readonly accepts: (address: string) => boolean;
}

/**
 * One connection of its own to the place of a checked URL, to an accepted address only: what a name resolves to is
 * looked at when the socket connects, and no checked address is ever reused.
 * @param problem what to say of a name without an accepted address
 * @param resolve for tests
 */
export function checkedPool({ url, accepts }: CheckedUrl, problem: () => UpstreamFailure, resolve?: Resolve): Pool {
  return new Pool(url.origin, {
    connections: 1,
    allowH2: false,
    pipelining: 1,
    connect: { timeout: CONNECT_TIMEOUT_MS, lookup: lookupOf(accepts, problem, resolve) },
  });
}

import { Pool } from "undici";
import { makeConnector } from "./outbound.ts";
import type { FindProxy } from "./outbound.ts";
import { UpstreamFailure } from "./failure.ts";
import { getLookup } from "./targets.ts";
import type { Resolve, SocketLookup } from "./targets.ts";

const CONNECT_TIMEOUT_MS = 5_000;

/** A checked URL. */
export interface CheckedUrl {
  readonly url: URL;
  /** Whether a connection to this address (an IP literal) may be made for it. */
  readonly accepts: (address: string) => boolean;
}

/** How a checked pool connects. */
export interface PoolOptions {
  /** Returns the error for a name without an accepted address. */
  readonly problem: () => UpstreamFailure;
  /** Missing: always direct. */
  readonly findProxy?: FindProxy | undefined;
  /** For tests. */
  readonly resolve?: Resolve | undefined;
}

/**
 * Connects to the host of a checked URL, to accepted addresses only: a name's addresses are checked when the socket
 * connects, and checks are never cached. A proxy resolves names itself, so a name is only sent to it with an accepted
 * local address, or without any.
 */
export function checkedPool({ url, accepts }: CheckedUrl, { problem, findProxy, resolve }: PoolOptions): Pool {
  const lookup = getLookup(accepts, problem, resolve);
  // Plain http is for targets that the user names, in networks that a proxy rarely leads to.
  const isDirect = findProxy === undefined || url.protocol !== "https:";
  const find: FindProxy | undefined = isDirect
    ? undefined
    : async (target) => {
        const proxy = await findProxy(target);
        if (proxy !== null) await requireAccepted(lookup, url.hostname);
        return proxy;
      };
  return new Pool(url.origin, {
    connections: 1,
    allowH2: false,
    pipelining: 1,
    connect: makeConnector({ timeout: CONNECT_TIMEOUT_MS, lookup, findProxy: find }),
  });
}

/** @throws UpstreamFailure if a name has addresses and none is accepted */
function requireAccepted(lookup: SocketLookup, hostname: string): Promise<void> {
  return new Promise((resolve, reject) =>
    lookup(hostname, { all: true }, (error) => (error instanceof UpstreamFailure ? reject(error) : resolve())),
  );
}

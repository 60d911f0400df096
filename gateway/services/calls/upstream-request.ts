import type { UpstreamRequest } from "../../upstream/door.ts";
import type { WireRequest } from "../../vendors/vendor.ts";
import type { Connection } from "../connections/connection.ts";
import { vendorHeaders } from "./loop-guard.ts";

/** Milliseconds that a vendor may take: to the head of its answer, and between two chunks of it. */
export interface Patience {
  readonly head: number;
  readonly gap: number;
}

/** What a vendor file made of a call, addressed to a connection. @param instanceId marks requests to this machine. */
export function upstreamRequest(
  wire: WireRequest,
  { origin, basePath, peer }: Pick<Connection, "origin" | "basePath" | "peer">,
  instanceId: string,
  patience: Patience,
): UpstreamRequest {
  return {
    origin,
    peer,
    path: basePath + wire.path,
    method: wire.method,
    headers: vendorHeaders(wire.headers, origin, instanceId),
    body: wire.body,
    headTimeout: patience.head,
    gapTimeout: patience.gap,
  };
}

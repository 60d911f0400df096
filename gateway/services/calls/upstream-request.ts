import type { UpstreamRequest } from "../../upstream/provider-client.ts";
import type { WireRequest } from "../../providers/provider.ts";
import type { Connection } from "../connections/connection.ts";
import { providerHeaders } from "./loop-guard.ts";

/** Milliseconds that a provider may take: to the head of its answer, and between two chunks of it. */
export interface Patience {
  readonly head: number;
  readonly gap: number;
}

/** What a provider file made of a call, addressed to a connection. @param instanceId marks requests to this machine. */
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
    headers: providerHeaders(wire.headers, origin, instanceId),
    body: wire.body,
    headTimeout: patience.head,
    gapTimeout: patience.gap,
  };
}

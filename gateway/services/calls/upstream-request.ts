import type { UpstreamRequest } from "../../upstream/provider-client.ts";
import { isLocalOrigin } from "../../upstream/targets.ts";
import type { Timeouts } from "../../upstream/transfer.ts";
import type { WireRequest } from "../../providers/wire-request.ts";
import type { Connection } from "../connections/connection.ts";

/** Addresses a provider's wire request to a connection. @param instanceId marks requests to this machine. */
export function upstreamRequest(
  wire: WireRequest,
  { origin, basePath, peer }: Pick<Connection, "origin" | "basePath" | "peer">,
  instanceId: string,
  timeouts: Timeouts,
): UpstreamRequest {
  return {
    origin,
    peer,
    path: basePath + wire.path,
    method: wire.method,
    headers: createProviderHeaders(wire.headers, origin, instanceId),
    body: wire.body,
    headTimeout: timeouts.head,
    gapTimeout: timeouts.gap,
    callTimeout: timeouts.call,
    headLimit: timeouts.headLimit,
  };
}

/**
 * Header on requests to servers on this machine, by which this process detects its own requests (508 instead of a
 * request loop).
 */
export const LOOP_HEADER = "x-postern-instance";

/**
 * Adds the instance's mark if the target is on this machine, the only place where Postern can reach itself. Other
 * providers do not see Postern's headers.
 */
export function createProviderHeaders(
  headers: Readonly<Record<string, string>>,
  origin: string,
  instanceId: string,
): Readonly<Record<string, string>> {
  return isLocalOrigin(origin) ? { ...headers, [LOOP_HEADER]: instanceId } : headers;
}

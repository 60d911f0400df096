import { GatewayError } from "../../core/errors.ts";
import type { Context } from "../state.ts";

/**
 * The pages and the control API are for this machine, wherever Postern listens: who has them has everything, and the
 * connection to another machine is not encrypted.
 */
export function localOnly(context: Context): void {
  // Clients probe the address with HEAD before their first call.
  if (context.state.area !== "own" || (context.path === "/" && context.method === "HEAD")) return;
  const { remoteAddress, localAddress } = context.req.socket;
  // A disconnected client has no address, and receives no response.
  if (remoteAddress === undefined || isThisMachine(remoteAddress, localAddress)) return;
  throw new GatewayError(
    "local_only",
    "The pages of Postern open on the machine that it runs on. Other machines have the API below /v1; with ssh -L they have the pages too (docs/guide/other-machines.md).",
  );
}

/** Whether a peer is this machine: by loopback, or because it is the address that it talks to. */
export function isThisMachine(remote: string, local: string | undefined): boolean {
  const address = remote.replace(/^::ffff:/i, "");
  return address.startsWith("127.") || address === "::1" || remote === local;
}

import { lookup } from "node:dns";
import { isIP } from "node:net";
import { within } from "../lib/within.ts";
import { isPrivateAddress } from "./targets.ts";
import type { Resolve } from "./targets.ts";

/** Max milliseconds, because the caller waits. Addresses unknown by then are checked when a connection is made. */
const TIMEOUT_MS = 2_000;

/**
 * Tells whether all addresses of a host are on this machine or a private network.
 * @param hostname value of `URL.hostname`. @returns null if it has no address now.
 */
export async function isPrivateHost(hostname: string, resolve: Resolve = lookup): Promise<boolean | null> {
  const bare = hostname.replace(/^\[|\]$/g, "");
  if (isIP(bare) !== 0) return isPrivateAddress(bare);
  // Names of a tailnet (https://tailscale.com/kb/1217/tailnet-name, read on 2026-11-29) may not resolve while it is off.
  if (bare.endsWith(".ts.net")) return true;
  let addresses: readonly { readonly address: string }[] = [];
  const lookedUp = new Promise<void>((done) =>
    resolve(bare, { all: true }, (error, found) => {
      addresses = error === null ? found : [];
      done();
    }),
  );
  await within(lookedUp, TIMEOUT_MS);
  return addresses.length === 0 ? null : addresses.every(({ address }) => isPrivateAddress(address));
}

import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";
import type { Proxy } from "../contract/proxy.ts";
import { isForbiddenAddress, isLoopbackAddress, isPublicAddress, formatTarget } from "./targets.ts";

/** Targets of downloads and webhooks in addition to the open internet. */
export interface Reach {
  /** Exact `host:port` pairs (as `formatTarget` writes them) that may be private and may be plain http. */
  readonly allowed: ReadonlySet<string>;
  /** Postern's own port on this machine, which is never connected to. */
  readonly ownPort: number;
  /**
   * Finds the proxy for a URL; direct if absent.
   * @param providerTarget target of the provider that returned the URL, whose connection may have its own proxy
   */
  readonly findProxy?: (url: URL, providerTarget?: string) => Promise<Proxy | null>;
}

/**
 * Returns a check of the addresses (IP literals) that a URL may connect to: public ones; for an exact allowed pair
 * private ones too, but never link-local ones, metadata services, or Postern itself.
 */
export function getAddresses(url: URL, { allowed, ownPort }: Reach): (address: string) => boolean {
  const target = formatTarget(url);
  const trusted = allowed.has(target);
  const own = Number(target.split(":").at(-1)) === ownPort;
  return (address) =>
    (trusted ? !isForbiddenAddress(address) : isPublicAddress(address)) && !(own && isThisMachine(address));
}

function isThisMachine(address: string): boolean {
  if (isLoopbackAddress(address)) return true;
  if (!ipaddr.isValid(address)) return false;
  const plain = ipaddr.process(address).toString();
  const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return own.some((one) => ipaddr.isValid(one.address) && ipaddr.process(one.address).toString() === plain);
}

/** Returns the IP literal of a URL's host, if it is one: sockets do no lookup for those. */
export function getLiteral(hostname: string): string | null {
  if (hostname.startsWith("[")) return hostname.slice(1, -1);
  return /^\d+\.\d+\.\d+\.\d+$/.test(hostname) ? hostname : null;
}

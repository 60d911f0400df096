import { lookup } from "node:dns";
import type { LookupAddress, LookupOptions } from "node:dns";
import ipaddr from "ipaddr.js";

/**
 * Addresses that no vendor lives at and that must never be reached with a key: link-local ranges (cloud metadata
 * services among them), unspecified and multicast addresses. Loopback and private networks are allowed here, because
 * the owner's own model servers live there; downloads and webhooks have a stricter door.
 */
const FORBIDDEN_RANGES = new Set(["linkLocal", "multicast", "unspecified", "broadcast"]);
/** Metadata services outside the link-local range: Alibaba Cloud, AWS over IPv6. */
const FORBIDDEN_ADDRESSES = new Set(["100.100.100.200", "fd00:ec2::254"]);

/** Whether `address` (an IP literal) may be a vendor's. */
export function isForbiddenAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return FORBIDDEN_RANGES.has(parsed.range()) || FORBIDDEN_ADDRESSES.has(parsed.toString());
}

/** Whether `hostname` (as `URL.hostname` gives it) is this machine itself. */
export function isLoopbackHost(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, "");
  if (bare === "localhost" || bare.endsWith(".localhost")) return true;
  return ipaddr.isValid(bare) && ipaddr.process(bare).range() === "loopback";
}

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** `dns.lookup` that refuses forbidden addresses at connect time, so a name cannot be re-pointed after a check. */
export function guardedLookup(hostname: string, options: LookupOptions, callback: LookupCallback): void {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, "");
    const allowed = addresses.filter((entry) => !isForbiddenAddress(entry.address));
    const first = allowed[0];
    if (first === undefined) return callback(new Error(`${hostname} has no address that a vendor may have`), "");
    return options.all === true ? callback(null, allowed) : callback(null, first.address, first.family);
  });
}

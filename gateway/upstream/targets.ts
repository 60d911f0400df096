import { lookup } from "node:dns";
import type { LookupAddress, LookupOptions } from "node:dns";
import type { Socket } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Addresses that are never a provider and must never receive a key: link-local ranges (cloud metadata services among
 * them), unspecified and multicast addresses. Loopback and private networks are allowed here, because users' own model
 * servers are there; downloads and webhooks have a stricter HTTP client.
 */
const FORBIDDEN_RANGES = new Set(["linkLocal", "multicast", "unspecified", "broadcast"]);
/** Metadata services outside the link-local range: Alibaba Cloud, Azure, AWS and Google Cloud over IPv6. */
const FORBIDDEN_ADDRESSES = new Set(["100.100.100.200", "168.63.129.16", "fd00:ec2::254", "fd20:ce::254"]);

/** Tells whether `address` (an IP literal) is forbidden, in any IPv6 form. */
export function isForbiddenAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (FORBIDDEN_RANGES.has(parsed.range()) || FORBIDDEN_ADDRESSES.has(parsed.toString())) return true;
  const inside = parsed instanceof ipaddr.IPv6 ? findEmbeddedAddress(parsed) : null;
  return inside !== null && isForbiddenAddress(inside);
}

/** Prefixes before an IPv4 address in the last four bytes: IPv4-compatible, translated, NAT64 and its local use. */
const V4_AT_THE_END = ["::/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48"].map((text) =>
  ipaddr.IPv6.parseCIDR(text),
);
const SIX_TO_FOUR = ipaddr.IPv6.parseCIDR("2002::/16");
const TEREDO = ipaddr.IPv6.parseCIDR("2001::/32");

/** The IPv4 address that a translator or a tunnel would send this to; null for all that are themselves. */
function findEmbeddedAddress(address: ipaddr.IPv6): string | null {
  if (address.range() === "loopback") return null;
  const bytes = address.toByteArray();
  if (V4_AT_THE_END.some((prefix) => address.match(prefix))) return bytes.slice(12).join(".");
  if (address.match(SIX_TO_FOUR)) return bytes.slice(2, 6).join(".");
  if (!address.match(TEREDO)) return null;
  return bytes
    .slice(12)
    .map((byte) => 255 - byte)
    .join(".");
}

/** Whether `hostname` (as `URL.hostname` gives it) is this machine itself. */
export function isLoopbackHost(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, "");
  if (bare === "localhost" || bare.endsWith(".localhost")) return true;
  return ipaddr.isValid(bare) && ipaddr.process(bare).range() === "loopback";
}

const localOrigins = new Map<string, boolean>();

/** Whether a server at `origin` (`http://127.0.0.1:11434`) is on this machine. Origins are of connections, so they are few. */
export function isLocalOrigin(origin: string): boolean {
  const known = localOrigins.get(origin);
  if (known !== undefined) return known;
  const local = isLoopbackHost(new URL(origin).hostname);
  localOrigins.set(origin, local);
  return local;
}

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** Lookup function of a socket. */
export type SocketLookup = (hostname: string, options: LookupOptions, callback: LookupCallback) => void;

/** Addresses of the open internet; everything else in IPv6 is reserved, local, or hides an IPv4 address. */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Tells whether `address` (an IP literal) is on the public internet, from which results of providers may be fetched.
 * Private, loopback, link-local, shared (CGNAT), multicast, reserved and documentation addresses are not, and neither
 * are IPv6 forms that carry an IPv4 address (NAT64, 6to4, Teredo, IPv4-compatible). IPv4-mapped ones count as their
 * IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast" || isForbiddenAddress(address)) return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST_V6);
}

/**
 * Networks to which plain http is allowed: this machine, and private ones. Tailscale uses 100.64/10
 * (https://tailscale.com/kb/1015/100.x-addresses, read on 2026-11-29), and encrypts its traffic.
 */
const PRIVATE_RANGES = new Set(["loopback", "private", "uniqueLocal", "carrierGradeNat"]);

/** Whether `address` (an IP literal) is of this machine or of a private network. */
export function isPrivateAddress(address: string): boolean {
  return ipaddr.isValid(address) && PRIVATE_RANGES.has(ipaddr.process(address).range());
}

/** Networks in which a server is a user's own machine. */
const LOCAL_RANGES = new Set([...PRIVATE_RANGES, "linkLocal"]);

/**
 * Tells whether the connected server is on this machine or a private network: it may have to load a model before it
 * responds.
 * @param isProxied whether the connection is to a proxy, whose address is not the server's
 */
export function isLocalPeer({ remoteAddress = "" }: Pick<Socket, "remoteAddress">, isProxied: boolean): boolean {
  if (isProxied || !ipaddr.isValid(remoteAddress)) return false;
  return LOCAL_RANGES.has(ipaddr.process(remoteAddress).range());
}

/** Whether `address` (an IP literal) is this machine's loopback. */
export function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
}

/** Equivalent names of this machine: a provider may use any of them in its URLs. */
const THIS_MACHINE = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** `host:port` of a URL, as pairs are compared: lower case, the scheme's own port written out. */
export function formatTarget(url: URL): string {
  const host = url.hostname.replace(/\.$/, "");
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  return `${THIS_MACHINE.has(host) ? "127.0.0.1" : host}:${port}`;
}

/** An entry of POSTERN_ALLOW_TARGETS as `formatTarget` writes it; null when it is not `host:port`. */
export function parseTarget(entry: string): string | null {
  if (!/^[^/?#@\\\s]+:\d{1,5}$/.test(entry)) return null;
  try {
    return formatTarget(new URL(`http://${entry}`));
  } catch {
    return null;
  }
}

/** An entry of a list of targets that may be private: as `formatTarget` writes it, or why it cannot be one. */
export function allowedTarget(entry: string): { readonly target: string } | { readonly problem: string } {
  const target = parseTarget(entry);
  if (target === null) return { problem: "it must be host:port" };
  // A URL may name a host `*`, which means all of them and is more than can be allowed.
  if (target.includes("*")) return { problem: "each host must be named" };
  const host = target.slice(0, target.lastIndexOf(":")).replace(/^\[|\]$/g, "");
  return isForbiddenAddress(host) ? { problem: "link-local and metadata addresses are never reached" } : { target };
}

/** Resolves a name to all addresses; `dns.lookup` except in tests. */
export type Resolve = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** A `lookup` for sockets that only returns accepted addresses, so that the checked address is the connected one. */
export function getLookup(
  accepts: (address: string) => boolean,
  problem: (hostname: string) => Error,
  resolve: Resolve = lookup,
): SocketLookup {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, "");
      const accepted = addresses.filter((entry) => accepts(entry.address));
      const first = accepted[0];
      if (first === undefined) return callback(problem(hostname), "");
      return options.all === true ? callback(null, accepted) : callback(null, first.address, first.family);
    });
  };
}

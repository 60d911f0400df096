import { isIP } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { matchesGlob } from "../core/glob.ts";

/** Addresses of this server; known once it listens. */
export interface Address {
  readonly port: number;
  /** Values of `Host` that everything takes, pages included; lower case. */
  readonly hosts: ReadonlySet<string>;
  /** Origins of Postern's own pages. */
  readonly origins: ReadonlySet<string>;
}

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

/** The address of a server that listens on `host:port`. */
export function getAddress(host: string, port: number): Address {
  const own = isWildcard(host) ? [] : [(isIP(host) === 6 ? `[${host}]` : host).toLowerCase()];
  const names = [...LOOPBACK, ...own];
  const hosts = names.map((name) => `${name}:${port}`);
  // Clients omit a default port.
  if (port === 80) hosts.push(...names);
  const origins = new Set(hosts.map((name) => `http://${name}`));
  // Reverse proxies omit the port, and no foreign page has such a name.
  return { port, hosts: new Set([...hosts, ...LOOPBACK]), origins };
}

/** Tells whether other machines can reach a server on `host`. */
export function isWildcard(host: string): boolean {
  return host === "0.0.0.0" || host === "::" || host === "";
}

/**
 * Names that container runtimes and virtual machines give the machine that they run on (Podman's add-host.md 5.4.2,
 * containers/podman#19361 for the gateways, abiosoft/colima#13 Lima's, OrbStack's Linux machines use the last; read
 * 2026-11-28).
 */
const CONTAINER_HOSTS = /^(?:(?:host|gateway)\.(?:docker|containers)|host\.(?:lima|orb))\.internal$/;
const HOST = /^(?<name>\[[\da-f:.]+\]|[\w-]+(?:\.[\w-]+)*)(?::(?<port>\d{1,5}))?$/;
const ENTRY = /^(?<pattern>\[.*\]|[^:]*)(?::(?<port>\d+))?$/;

/**
 * Tells whether key-protected parts of Postern are served under a `Host`: names of this machine, which no foreign web
 * page has, and allowed ones.
 * @param host in lower case. @param allowed entries of the setting `allowed_hosts`
 */
export function isServedHost(host: string, port: number, allowed: readonly string[]): boolean {
  const { name, port: at } = HOST.exec(host)?.groups ?? {};
  if (name === undefined) return false;
  if ((at === undefined || Number(at) === port) && isNameOfMachine(name)) return true;
  return allowed.some((entry) => {
    const { pattern = "", port: entryPort } = ENTRY.exec(entry.toLowerCase())?.groups ?? {};
    if (entryPort !== undefined && Number(entryPort) !== Number(at ?? 80)) return false;
    return pattern.startsWith("*.") ? name.endsWith(pattern.slice(1)) : name === pattern;
  });
}

function isNameOfMachine(name: string): boolean {
  if (CONTAINER_HOSTS.test(name) || createNamesOfMachine(hostname()).includes(name)) return true;
  const address = name.replace(/^\[|\]$/g, "");
  // The list is read each time, because a laptop changes its network.
  const entries = isIP(address) === 0 ? [] : Object.values(networkInterfaces()).flat();
  return entries.some((entry) => entry?.internal === false && entry.address === address);
}

/**
 * Returns the names of this machine in the network: its own, and its multicast DNS name. No foreign web page has these,
 * so they are safe from DNS rebinding.
 */
export function createNamesOfMachine(own: string): string[] {
  const name = own.toLowerCase().replace(/\.$/, "");
  if (name.length > 253 || !/^[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)*$/.test(name)) return [];
  // Digits and dots are an address, and that is known from the machine's interfaces.
  if (/^[\d.]+$/.test(name)) return [];
  const local = `${name.replace(/\..*$/, "")}.local`;
  return name === local ? [name] : [name, local];
}

/**
 * Whether the owner allows an origin. Files of this machine send the origin `null` or `file://`, by the browser.
 * @param allowed entries of the setting `allowed_origins`
 */
export function isAllowedOrigin(origin: string, allowed: readonly string[]): boolean {
  const named = nameOrigin(origin);
  if (!/^[a-z][a-z\d+.-]*:\/\/[^/?#@\s]*$/.test(named)) return false;
  return allowed.some((entry) => matchesGlob(nameOrigin(entry.replace(/([^/]|\/\/)\/$/, "$1")), named));
}

function nameOrigin(origin: string): string {
  return origin === "null" ? "file://" : origin.toLowerCase();
}

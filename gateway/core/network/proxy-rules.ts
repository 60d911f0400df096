import ipaddr from "ipaddr.js";
import { parseProxy } from "../../contract/proxy.ts";
import type { Proxy } from "../../contract/proxy.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** Proxy environment variables, in order of precedence. */
const VARIABLES = { "https:": ["https_proxy", "all_proxy"], "http:": ["http_proxy", "all_proxy"] } as const;

/** Reads a variable in lower case, else in capitals, as curl and Node do; null if empty. */
function readVariable(env: Variables, name: string): { name: string; value: string } | null {
  for (const spelling of [name, name.toUpperCase()]) {
    const value = env[spelling]?.trim() ?? "";
    if (value !== "") return { name: spelling, value };
  }
  return null;
}

/** Returns the proxy of the environment for a URL; null if there is no usable one. */
export function findEnvironmentProxy(env: Variables, { protocol }: URL): Proxy | null {
  for (const name of protocol === "http:" ? VARIABLES["http:"] : VARIABLES["https:"]) {
    const given = readVariable(env, name);
    if (given !== null) return parseProxy(given.value);
  }
  return null;
}

/** Sentences on variables that name a proxy in no form that is known, without their values. */
export function describeProxyProblems(env: Variables): readonly string[] {
  return ["https_proxy", "http_proxy", "all_proxy"].flatMap((name) => {
    const given = readVariable(env, name);
    if (given === null || parseProxy(given.value) !== null) return [];
    return [`${given.name} was ignored: it must be an address such as http://proxy:8080 or socks5://proxy:1080.`];
  });
}

/** Whether NO_PROXY names a URL's host: by name, suffix, address, CIDR, any of these with a port, or `*`. */
export function isExcludedByEnvironment(env: Variables, url: URL): boolean {
  const entries = readVariable(env, "no_proxy")?.value.split(/[\s,]+/) ?? [];
  const host = url.hostname.replace(/^\[|\]$|\.$/g, "").toLowerCase();
  const port = url.port === "" ? (url.protocol === "http:" ? "80" : "443") : url.port;
  return entries.some((entry) => matchesEntry(entry.toLowerCase(), host, port));
}

function matchesEntry(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  const [, bracketed, plain = "", ofPort] = /^(?:\[([^\]]+)\]|([^:]*|[^:]*:[^:]*:.*?))(?::(\d+))?$/.exec(entry) ?? [];
  if (ofPort !== undefined && ofPort !== port) return false;
  const name = bracketed ?? plain;
  if (name === "") return false;
  if (ipaddr.isValid(host)) return matchesAddress(name, host);
  const suffix = name.replace(/^\*?\./, "").replace(/\.$/, "");
  return suffix !== "" && (host === suffix || host.endsWith(`.${suffix}`));
}

function matchesAddress(entry: string, host: string): boolean {
  const address = ipaddr.process(host);
  if (ipaddr.isValid(entry)) return ipaddr.process(entry).toString() === address.toString();
  if (!ipaddr.isValidCIDR(entry)) return false;
  const [network, bits] = ipaddr.parseCIDR(entry);
  return network.kind() === address.kind() && address.match(network, bits);
}

/**
 * The proxy in what Chromium's resolver says, as `PROXY proxy:8080; DIRECT`; null for a direct connection. The first
 * entry that can be used counts (https://chromium.googlesource.com/chromium/src/+/HEAD/net/docs/proxy.md, 2026-11-28).
 */
export function parseSystemProxy(rules: string): Proxy | null {
  for (const rule of rules.split(";")) {
    const [kind = "", place = ""] = rule.trim().split(/\s+/);
    if (kind.toUpperCase() === "DIRECT") return null;
    const scheme = { PROXY: "http", HTTPS: "https", SOCKS5: "socks5" }[kind.toUpperCase()];
    const proxy = scheme === undefined ? null : parseProxy(`${scheme}://${place}`);
    if (proxy !== null) return proxy;
  }
  return null;
}

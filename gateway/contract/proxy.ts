/** A proxy for requests that leave this machine. */
export interface Proxy {
  readonly protocol: "http" | "https" | "socks5";
  /** A name, or an IP address without brackets. */
  readonly host: string;
  readonly port: number;
  /** Null if the address has no credentials. */
  readonly login: { readonly user: string; readonly password: string } | null;
}

/** The setting: the environment's and the system's proxy, no proxy, or else an address. */
export const proxyModes = ["system", "off"] as const;
/** A connection's choice: the setting, no proxy, or else a URL. */
export const connectionProxyModes = ["default", "direct"] as const;

/** Replaces credentials, which are stored like a key and never shown. */
export const HIDDEN_LOGIN = "***";
/** Default ports by protocol, as in URLs. */
const PORTS = { http: 80, https: 443, socks5: 1_080 } as const;
const PROTOCOLS: Readonly<Record<string, Proxy["protocol"]>> = {
  http: "http",
  https: "https",
  socks: "socks5",
  socks5: "socks5",
  socks5h: "socks5",
};

/**
 * Reads `http://user:password@proxy:8080`. Without a scheme it is an HTTP proxy's, and needs a port or a dot.
 * @returns null for anything else
 */
export function parseProxy(text: string): Proxy | null {
  const [, scheme, rest = ""] = /^(?:([a-z\d]+):\/\/)?([^\s\\]+)$/i.exec(text.trim()) ?? [];
  if (scheme === undefined && !/[.:]/.test(rest)) return null;
  const protocol = PROTOCOLS[scheme?.toLowerCase() ?? "http"];
  // Ports and hosts are read as https ones are, since URL leaves those of unknown schemes as they were typed.
  const url = protocol === undefined ? null : URL.parse(`https://${rest}`);
  if (protocol === undefined || url === null || url.pathname !== "/" || url.search !== "" || url.hash !== "")
    return null;
  const hasPort = /:\d+\/?$/.test(rest);
  const port = url.port === "" ? (hasPort ? 443 : PORTS[protocol]) : Number(url.port);
  if (port === 0) return null;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (url.username === "" && url.password === "") return { protocol, host, port, login: null };
  try {
    const login = { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
    return { protocol, host, port, login };
  } catch {
    return null;
  }
}

/** Formats a proxy URL for display: `http://***@proxy:8080` if it has credentials. */
export function showProxy({ protocol, host, port, login }: Proxy): string {
  const place = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  return `${protocol}://${login === null ? "" : `${HIDDEN_LOGIN}@`}${place}`;
}

/** Whether an address is one that `showProxy` wrote, so that its login is the one already stored. */
export const isLoginHidden = (text: string): boolean => parseProxy(text)?.login?.user === HIDDEN_LOGIN;

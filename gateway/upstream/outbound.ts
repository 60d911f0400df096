import type { Socket } from "node:net";
import { Pool, buildConnector } from "undici";
import { showProxy } from "../contract/proxy.ts";
import type { Proxy } from "../contract/proxy.ts";
import { getMessage } from "../lib/message-of.ts";
import { UpstreamFailure, toFailure } from "./failure.ts";
import { trustSystemCertificates } from "./system-certificates.ts";
import { isForbiddenAddress, isLoopbackHost, getLookup } from "./targets.ts";
import type { SocketLookup } from "./targets.ts";

/** Finds the proxy for a URL; null for a direct connection. */
export type FindProxy = (url: URL) => Promise<Proxy | null>;

export interface ConnectorOptions {
  /** Milliseconds for each connection, that of a tunnel included. */
  readonly timeout: number;
  /** Lookup of names for direct connections, with the permitted addresses. */
  readonly lookup: SocketLookup;
  /** Missing: always direct. */
  readonly findProxy?: FindProxy | undefined;
}

/** A peer that is gone is noticed ten seconds later, however long its response may take: Node probes each second. */
const PROBE_AFTER_MS = 15_000;

const proxied = new WeakSet<Socket>();

/** Whether a connection leads through a proxy, so that its address is the proxy's. */
export const isProxied = (socket: Socket): boolean => proxied.has(socket);

/**
 * Makes undici's connections: direct, or through a proxy by CONNECT or SOCKS 5. Loopback never uses a proxy, and TLS
 * ends at the server itself, so that a proxy only sees its name.
 */
export function makeConnector(options: ConnectorOptions): buildConnector.connector {
  const { timeout, findProxy } = options;
  const { lookup } = options;
  const connect = buildConnector({ timeout, lookup, allowH2: false, keepAliveInitialDelay: PROBE_AFTER_MS });
  const open = async (target: buildConnector.Options): Promise<Socket> => {
    const url = getUrl(target);
    const isSecure = url.protocol === "https:";
    if (isSecure) await trustSystemCertificates();
    const proxy = (await findProxy?.(url)) ?? null;
    if (proxy === null) return openSocket(connect, target);
    const tunnel = await openTunnel(proxy, target.hostname, Number(url.port || (isSecure ? 443 : 80)), timeout);
    proxied.add(tunnel);
    if (!isSecure) return tunnel;
    try {
      const secure = await openSocket(connect, { ...target, httpSocket: tunnel });
      proxied.add(secure);
      return secure;
    } catch (error) {
      throw new UpstreamFailure("refused", false, `${getMessage(error)} (by the proxy ${showProxy(proxy)})`, error);
    }
  };
  return (target, callback) => {
    const isPlain = target.protocol !== "https:" && findProxy === undefined;
    // Servers on this machine are connected to in this turn of the event loop, as without proxies.
    if (isPlain || isLoopbackHost(target.hostname)) return connect(target, callback);
    void settleInto(open(target), callback);
  };
}

async function settleInto(opening: Promise<Socket>, callback: buildConnector.Callback): Promise<void> {
  let socket: Socket;
  try {
    socket = await opening;
  } catch (error) {
    return callback(error instanceof Error ? error : new Error(getMessage(error)), null);
  }
  callback(null, socket);
}

function getUrl({ protocol, hostname, port }: buildConnector.Options): URL {
  const host = hostname.includes(":") && !hostname.startsWith("[") ? `[${hostname}]` : hostname;
  return new URL(`${protocol}//${host}${port === "" ? "" : `:${port}`}`);
}

function openSocket(connect: buildConnector.connector, target: buildConnector.Options): Promise<Socket> {
  return new Promise((resolve, reject) =>
    connect(target, (error, socket) => {
      if (error === null && socket !== null) resolve(socket);
      else reject(error ?? new Error("no connection"));
    }),
  );
}

/** Connects to a host through a proxy. @throws UpstreamFailure that names the proxy and the remedy */
export async function openTunnel(proxy: Proxy, host: string, port: number, timeout: number): Promise<Socket> {
  try {
    return await (proxy.protocol === "socks5" ? openBySocks : openByConnect)(proxy, host, port, timeout);
  } catch (error) {
    if (error instanceof UpstreamFailure) throw error;
    throw createFailure(proxy, toFailure(error, false).message, error);
  }
}

function createFailure(proxy: Proxy, why: string, cause?: unknown): UpstreamFailure {
  const advice = "Check its address and login, under Settings > Network or in the provider's dialog";
  return new UpstreamFailure(
    "refused",
    false,
    `the proxy ${showProxy(proxy)} did not connect: ${why}. ${advice}`,
    cause,
  );
}

async function openByConnect(proxy: Proxy, host: string, port: number, timeout: number): Promise<Socket> {
  const { protocol, login } = proxy;
  if (protocol === "https") await trustSystemCertificates();
  const proxyHost = proxy.host.includes(":") ? `[${proxy.host}]` : proxy.host;
  const place = `${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${port}`;
  const pool = new Pool(`${protocol}://${proxyHost}:${proxy.port}`, {
    connections: 1,
    allowH2: false,
    connect: { timeout, lookup: getLookup((address) => !isForbiddenAddress(address), notAProxys) },
  });
  const authorization = login === null ? null : Buffer.from(`${login.user}:${login.password}`).toString("base64");
  const tunnel = Promise.withResolvers<{ status: number; socket: Socket }>();
  // A proxy that accepts the connection but stays silent gets the same time again.
  const timer = setTimeout(() => tunnel.reject(new Error("no response in time")), 2 * timeout);
  try {
    pool.dispatch(
      {
        path: place,
        method: "CONNECT",
        headers: {
          host: place,
          ...(authorization === null ? {} : { "proxy-authorization": `Basic ${authorization}` }),
        },
      },
      {
        onRequestStart: () => {},
        onRequestUpgrade: (_controller, status, _headers, socket) =>
          tunnel.resolve({ status, socket: socket as Socket }),
        onResponseError: (_controller, error) => tunnel.reject(error),
      },
    );
    const { status, socket } = await tunnel.promise;
    if (status === 200) return socket;
    socket.destroy();
    throw createFailure(proxy, status === 407 ? "it wants a login, or another one (407)" : `it answered ${status}`);
  } finally {
    clearTimeout(timer);
    // The tunnel belongs to its caller; nothing else uses this pool.
    pool.destroy().catch(() => undefined);
  }
}

const notAProxys = (hostname: string): Error => new Error(`${hostname} has no address that a proxy may have`);

async function openBySocks(proxy: Proxy, host: string, port: number, timeout: number): Promise<Socket> {
  const { SocksClient } = await import("socks");
  const { login } = proxy;
  const { socket } = await SocksClient.createConnection({
    command: "connect",
    timeout,
    destination: { host: host.replace(/^\[|\]$/g, ""), port },
    proxy: {
      type: 5,
      host: proxy.host,
      port: proxy.port,
      ...(login === null ? {} : { userId: login.user, password: login.password }),
    },
  });
  return socket;
}

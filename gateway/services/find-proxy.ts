import { parseProxy } from "../contract/proxy.ts";
import type { Proxy } from "../contract/proxy.ts";
import { findEnvironmentProxy, isExcludedByEnvironment, parseSystemProxy } from "../core/network/proxy-rules.ts";
import { isLoopbackHost, formatTarget } from "../upstream/targets.ts";
import type { Connections } from "./connections/connections.ts";

export interface FindProxyDeps {
  /** The setting, with its login. */
  readonly setting: () => string;
  /** HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY are read from it. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Electron's resolver: returns the proxy of a URL, as `PROXY proxy:8080; DIRECT`; null without Electron. */
  readonly resolveSystemProxy: ((url: string) => Promise<string>) | null;
  readonly connections: Pick<Connections, "all">;
}

/** Finds the proxy that a request goes through. A server on this machine never has one. */
export class ProxyFinder {
  readonly #deps: FindProxyDeps;

  constructor(deps: FindProxyDeps) {
    this.#deps = deps;
  }

  /** @param choice a connection's own: `direct` or a URL; null: by the setting. @returns null for none */
  async find(url: URL, choice: string | null): Promise<Proxy | null> {
    const { setting, variables, resolveSystemProxy } = this.#deps;
    if (isLoopbackHost(url.hostname)) return null;
    if (choice !== null) return choice === "direct" ? null : parseProxy(choice);
    const chosen = setting();
    if (chosen === "off" || isExcludedByEnvironment(variables, url)) return null;
    if (chosen !== "system") return parseProxy(chosen);
    const given = findEnvironmentProxy(variables, url);
    if (given !== null || resolveSystemProxy === null) return given;
    return parseSystemProxy(await resolveSystemProxy(url.href).catch(() => "DIRECT"));
  }

  /** The proxy for a URL that a provider named: that of the provider's connection. @param target `formatTarget` the provider */
  findProxy(url: URL, target?: string): Promise<Proxy | null> {
    const named = this.#deps.connections
      .all()
      .find(({ peer, baseUrl }) => peer?.proxy != null && formatTarget(new URL(baseUrl)) === target);
    return this.find(url, named?.peer?.proxy ?? null);
  }
}
